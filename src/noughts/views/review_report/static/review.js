// The page of reviewed games needs a script for its button only.

import { startTheme } from "./theme.js";

startTheme(document.getElementById("theme"));
