import { besideDate, MONTH_WORDS, WEEKDAY_WORDS, ZONES } from "./dates.ts";
import { withPlainDigits } from "./words.ts";

/** They say when a page was made, which is no news. */
const STAMPS = `update, updated, updates, modified, edited, generated, built, rendered, revision
  erstellt, aktualisiert, geändert, änderung, bearbeitet, mise à jour, mis à jour, modifié, modification
  actualizado, actualización, modificado, atualizado, atualização, aggiornato, aggiornamento, modifica
  bijgewerkt, gewijzigd, aktualizacja, zaktualizowano, обновлено, изменено`.split(/,? *\n *|, /);
const AROUND = `st nd rd th am pm of on in at by the and this was min mins minute minutes hour hours day days week weeks month months year years
  ago read reading time posted published edit created written words last date page pages tag tags category categories
  view views comment comments post posts previous prev next newer older back home to top more continue permalink
  weiter weiterlesen zurück suivant précédent siguiente anterior
  um uhr diese seite wurde zuletzt letzte veröffentlicht vor tag tagen woche wochen monat monaten jahr jahren stunden minuten gestern heute
  le la les et mis à dernière cette été il jours semaine semaines mois an ans heures hier publié
  el las última hace día días semana semanas mes meses año años horas ayer a às há dia dias mês ano anos ontem
  alle ultima fa giorno giorni settimana settimane mese mesi anno anni ore ieri om laatst geleden dagen weken maanden jaar uur
  ostatnia ostatnio dni tygodni temu последнее назад дней дня недель`;
const DULL_WORDS = new Set([
  ...MONTH_WORDS,
  ...WEEKDAY_WORDS,
  ...`${AROUND} ${STAMPS.join(" ")} ${ZONES}`.split(/\s+/),
]);

const RUN = /[\p{L}\p{M}]+/gu;
const TWO_LETTERS = /\p{L}\p{M}*\p{L}/u;
/** "©" says nothing, nor does an arrow that leads back from a footnote. */
const SIGN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|(?![©®™↔-↪▶◀⤴⤵⬅-⬇➡])(?=\p{Emoji})\p{Extended_Pictographic}/u;
const DATED_BY =
  /(?:最終|最后|最後)?(?:更新|投稿|作成|公開|掲載|編集|编辑|編輯|发布|發布|创建|修改)(?:日時?|时间|時間|于|於)|\d+\s*(?:分|時間|小时|日|天|週間|周|[かヶ个]?月|年)[前间]|마지막\s*(?:수정|편집|업데이트)/gu;

/** Never news alone: without dates and the words around them, no two letters in a row are left. */
export function isDull(text: string): boolean {
  const rest = besideDate(text)
    .rest.replace(DATED_BY, " ")
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

const STAMP = new RegExp(`(?<!\\p{L})(?:${STAMPS.join("|")})(?!\\p{L})`, "iu");
const HOURS = new RegExp(`(?<!\\p{L})(?:${WEEKDAY_WORDS.join("|")})(?!\\p{L})|\\p{Sc}`, "iu");
const VERSION = /\d+\.\d+\.\d+/;

/** Opening hours, prices and versions are news even if only digits differ. */
export function hasNewsworthyNumber(words: string): boolean {
  const text = withPlainDigits(words);
  if (!NEWSWORTHY_NUMBER.test(text) || STAMP.test(text)) return false;
  return (
    !isDull(text) ||
    (besideDate(text).date === undefined && (HOURS.test(text) || VERSION.test(text)))
  );
}
