/** A new Change List begins with each period. */
export const PERIODS = ["year", "month", "day"] as const;
export type Period = (typeof PERIODS)[number];

interface PeriodRule {
  readonly name: (date: Date) => string;
  /** The start of the next period, in milliseconds. */
  readonly end: (date: Date) => number;
}

const PERIOD_RULES: Record<Period, PeriodRule> = {
  year: {
    name: (date) => date.toISOString().slice(0, 4),
    end: (date) => Date.UTC(date.getUTCFullYear() + 1, 0),
  },
  month: {
    name: (date) => date.toISOString().slice(0, 7),
    end: (date) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1),
  },
  day: {
    name: (date) => date.toISOString().slice(0, 10),
    end: (date) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1),
  },
};

export function periodOf(seconds: number, period: Period): string {
  return PERIOD_RULES[period].name(new Date(seconds * 1000));
}

export function nextPeriod(seconds: number, period: Period): number {
  return PERIOD_RULES[period].end(new Date(seconds * 1000)) / 1000;
}
