// The single file: a viewer of the data that stand in it.

import { mount } from "./player.js";
import { startTheme } from "./theme.js";

mount(document.querySelector("main"), JSON.parse(document.getElementById("data").textContent));
startTheme(document.getElementById("theme"));
