/* Carries libseccomp's flags to CProcess; Swift never imports it. */
