export { type ComparedFiles, compareFolders, haveSameContent } from "./folders.ts";
