import { besideDate, MONTH_WORDS, WEEKDAY_WORDS, ZONES } from "./dates.ts";
import { withPlainDigits } from "./words.ts";

const AROUND = `st nd rd th am pm of on in at by the and min mins minute minutes hour hours day days week weeks month months year years
  ago read reading time posted published update updates updated modified edit edited created written words last date page pages tag tags category categories
  view views comment comments post posts previous prev next newer older back home to top more continue permalink
  weiter weiterlesen zurück suivant précédent siguiente anterior
  le et zuletzt aktualisiert geändert bearbeitet veröffentlicht uhr mise jour mis dernière modification publié modifié
  última actualización actualizado atualização atualizado aggiornato ultima modifica laatst bijgewerkt gewijzigd
  letzte änderung ultimo aggiornamento ostatnia aktualizacja zaktualizowano обновлено изменено`;
const DULL_WORDS = new Set([
  ...MONTH_WORDS,
  ...WEEKDAY_WORDS,
  ...`${AROUND} ${ZONES}`.split(/\s+/),
]);

const RUN = /[\p{L}\p{M}]+/gu;
const TWO_LETTERS = /\p{L}\p{M}*\p{L}/u;
/** "©" says nothing, nor does an arrow that leads back from a footnote. */
const SIGN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|(?![©®™↔-↪▶◀⤴⤵⬅-⬇➡])(?=\p{Emoji})\p{Extended_Pictographic}/u;
const DATED_BY =
  /(?:最終|最后|最後)?(?:更新|投稿|作成|公開|掲載|編集|编辑|編輯|发布|發布|创建|修改)(?:日時?|时间|時間|于|於)|\bthis page was\b/giu;
/** 2 months ago. */
const AGE =
  /(?<!\p{L})(?:vor|il y a|hace|há)\s+\d{1,4}\s+\p{L}+|(?<!\d)\d{1,4}\s+\p{L}+\s+(?:fa|geleden|temu|назад)(?!\p{L})|(?<!\d)\d{1,4}\s*(?:分|時間|小时|日|天|週間|周|[かヶ个]?月|年)前/giu;

/** Never news alone: without dates and the words around them, no two letters in a row are left. */
export function isDull(text: string): boolean {
  const rest = besideDate(text)
    .rest.replace(DATED_BY, " ")
    .replace(AGE, " ")
    .replace(RUN, (word) => (DULL_WORDS.has(word.toLowerCase()) ? " " : word));
  return !TWO_LETTERS.test(rest) && !SIGN.test(rest);
}

/** Removes a date at the start or end; keeps the whole text where nothing meaningful would be left. */
export function withoutDate(text: string): string {
  const { rest } = besideDate(text);
  return rest === text || isDull(rest) ? text : rest;
}

/** Times of day, money and version numbers. */
const NEWSWORTHY_NUMBER =
  /\d{1,2}[:.：]\d{2}\b(?![.\d])|\d{1,2}\s*[時时시点點]|\b\d{1,2}\s*(?:am|pm|h|uhr)\b|\p{Sc}\s*\d|\d\s*(?:\p{Sc}|eur|euros?|usd|dollars?|pounds?|chf|yen|[円元원])|\bv?\d+\.\d+\.\d+\b|\bv(?:ersion)?[.:]?\s*\d+/iu;

/** The time when a page was made is no news. */
const STAMP =
  /\b(?:updated?|modified|generated|build|built|compiled|commit|rendered|revision|as of|abgerufen)\b|^stand:/iu;
const LABELLED = /[:：]\s*$/u;
const HOURS = new RegExp(`(?<!\\p{L})(?:${WEEKDAY_WORDS.join("|")})(?!\\p{L})|\\p{Sc}`, "iu");
const VERSION = /\d+\.\d+\.\d+/;

/** Opening hours, prices and versions are news even if only digits differ. */
export function hasNewsworthyNumber(words: string): boolean {
  const text = withPlainDigits(words);
  if (!NEWSWORTHY_NUMBER.test(text) || STAMP.test(text)) return false;
  const { date } = besideDate(text);
  // Behind a label it is the time when something was made.
  const isTime = date !== undefined && /\d:\d\d/.test(date);
  if (isTime && LABELLED.test(text.slice(0, text.lastIndexOf(date)))) return false;
  return !isDull(text) || (date === undefined && (HOURS.test(text) || VERSION.test(text)));
}
