// The worker of one more thread of core-threads.wasm; core.js starts it.
import { help } from "./core.js";

onmessage = ({ data }) => help(data, () => postMessage("ready"));
