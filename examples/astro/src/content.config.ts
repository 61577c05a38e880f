import { defineCollection } from "astro:content";
import { glob } from "astro/loaders";
import { z } from "astro/zod";

const works = defineCollection({
  loader: glob({ base: "./src/content/works", pattern: "*.md" }),
  schema: z.object({
    title: z.string(),
    description: z.string(),
    /** Its file in public/quilts, without the extension. */
    picture: z.string(),
    /** What the picture shows, for those who do not see it. */
    alt: z.string(),
    finished: z.coerce.date(),
    pattern: z.string(),
    /** Width and height in centimetres; pictures have the same shape. */
    size: z.tuple([z.number(), z.number()]),
    cloth: z.array(z.string()),
    whereabouts: z.string(),
  }),
});

export const collections = { works };
