// Runs before the form's script, which otherwise starts automatically.
window.CMS_MANUAL_INIT = true;
