export { engineFiles, robotsLine } from "./engine-files.ts";
