/** What adapters need of zod. Without the rest, which nobody names, the bundle is a fifth smaller. */
export { array, boolean, custom, strictObject, string, union } from "zod";
