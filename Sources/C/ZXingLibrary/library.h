/* Carries ZXing's compiler flags to CZXing; Swift never imports it (it is C++). */
