import rsEmit from "@rs-emit/astro";
import { defineConfig } from "astro/config";

export default defineConfig({
  site: "https://gallery.example",
  integrations: [rsEmit()],
});
