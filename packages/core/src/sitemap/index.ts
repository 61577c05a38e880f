export { engineFiles } from "./engine-files.ts";
export { robotsLine } from "./robots-file.ts";
