import {
  type PageTaker,
  pageOf,
} from "../../packages/harvester/src/readers/sitemap/list-contents.ts";

/** Judges the pages of lists, and keeps none. */
export function pageTaker(): PageTaker {
  let lists = 0;
  return {
    add: () => {
      lists -= 1;
      return lists;
    },
    take: (entries, rules) => entries.filter((entry) => pageOf(entry, rules)),
    forget: () => {},
  };
}
