import { type Line, median } from "./line.ts";

const HEAD = ["what", "ours", "yardstick", "ratio", "CPU", "aim", "met?"];

/** The lines as a table in Markdown, its columns aligned for a terminal too. */
export function table(lines: readonly Line[]): string {
  const rows = [HEAD, ...lines.map(cells)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const [head = "", ...body] = rows.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`,
  );
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  return [head, rule, ...body].join("\n");
}

function cells(line: Line): string[] {
  const { what, unit, ours, yardstick, cpuRatio, aim } = line;
  const ratio = ratioOf(line);
  return [
    what,
    spread(ours, unit),
    yardstick === undefined ? "" : `${yardstick.name} ${spread(yardstick.figures, unit)}`,
    ratio === undefined ? "" : ratio.toFixed(2),
    cpuRatio === undefined ? "" : cpuRatio.toFixed(2),
    aim === undefined
      ? ""
      : `≤ ${Number(aim.most.toFixed(2))}${{ ratio: "", CPU: " CPU", figure: ` ${unit}` }[aim.of]}`,
    verdict(line),
  ];
}

function verdict(line: Line): string {
  const { aim, ours, cpuRatio } = line;
  if (aim === undefined) return "";
  const reached = { ratio: ratioOf(line), CPU: cpuRatio, figure: median(ours) }[aim.of];
  return reached !== undefined && reached <= aim.most ? "yes" : "NO";
}

function ratioOf({ ours, yardstick }: Line): number | undefined {
  return yardstick && median(ours) / median(yardstick.figures);
}

/** The median, and how far the figures lie apart. */
function spread(figures: readonly number[], unit: Line["unit"]): string {
  const digits = unit === "s" ? 3 : unit === "ms" ? 1 : 0;
  const [middle, least, most] = [median(figures), Math.min(...figures), Math.max(...figures)].map(
    (figure) => figure.toFixed(digits),
  );
  return least === most ? `${middle} ${unit}` : `${middle} ${unit} (${least}–${most})`;
}
