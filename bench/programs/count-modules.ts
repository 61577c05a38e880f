/** Loaded before a program, tells at its end how many modules it loaded, Node's own left out. */
import { registerHooks } from "node:module";

let modules = 0;
registerHooks({
  load(url, context, next) {
    if (url.startsWith("file:")) modules++;
    return next(url, context);
  },
});
process.once("exit", () => console.log(`modules loaded: ${modules}`));
