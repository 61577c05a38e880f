import rsEmit from "@rs-emit/eleventy";

const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

export const config = { dir: { input: "src" } };

export default function (eleventyConfig) {
  eleventyConfig.addPlugin(rsEmit, { url: "https://garden.example/" });

  eleventyConfig.addPassthroughCopy({ public: "/" });

  eleventyConfig.addFilter("day", (date) => DAY.format(date));
  eleventyConfig.addFilter("at", (notes, stage) =>
    notes.filter(({ data }) => data.stage === stage),
  );
  eleventyConfig.addFilter("leadingTo", (notes, url) =>
    notes.filter(({ rawInput }) => rawInput.includes(`](${url})`)),
  );
  eleventyConfig.addCollection("tended", (all) =>
    all.getFilteredByTag("notes").sort((one, other) => other.data.tended - one.data.tended),
  );
}
