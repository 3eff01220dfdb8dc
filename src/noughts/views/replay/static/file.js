// The single file: shows the data that it contains.

import { mount } from "./player.js";

mount(document.querySelector("main"), JSON.parse(document.getElementById("data").textContent));
