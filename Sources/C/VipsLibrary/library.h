/* Carries libvips' compiler flags to CVips; Swift never imports it. */
