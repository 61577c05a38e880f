import { beforeEach } from "vitest";
import { surfacesOf } from "./surface.ts";

beforeEach(({ task }) => {
  task.meta.surfaces = [...surfacesOf(task.file.filepath)];
});
