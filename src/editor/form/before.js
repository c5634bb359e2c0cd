// Runs before the form's script, which otherwise starts by itself.
window.CMS_MANUAL_INIT = true;
