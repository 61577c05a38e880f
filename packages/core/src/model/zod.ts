/** What adapters need of zod. Without the rest, which nobody names, the bundle is a fifth smaller. */
export { array, custom, string, union } from "zod";
