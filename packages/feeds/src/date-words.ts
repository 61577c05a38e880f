/** How a language writes a day: as the Unicode CLDR has it, taken once, since the data differ from Node to Node. */
export interface DateWords {
  /** A day in full: `d`, `MMMM` and `y` in braces. */
  readonly day: string;
  /** As they stand in a day, from January on. */
  readonly months: readonly string[];
  /** Other words for them, in the same order: alone, and abbreviated. */
  readonly otherMonths: readonly (readonly string[])[];
  /** From Monday on, in full and abbreviated. */
  readonly weekdays: readonly (readonly string[])[];
}

const list = (words: string) => words.split(/\s+/);
const numbered = (unit: string) => Array.from({ length: 12 }, (_, month) => `${month + 1}${unit}`);

export const DATE_WORDS = {
  en: {
    day: "{d} {MMMM} {y}",
    months: list(
      "January February March April May June July August September October November December",
    ),
    otherMonths: [list("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec")],
    weekdays: [
      list("Monday Tuesday Wednesday Thursday Friday Saturday Sunday"),
      list("Mon Tue Wed Thu Fri Sat Sun"),
    ],
  },
  de: {
    day: "{d}. {MMMM} {y}",
    months: list(
      "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    ),
    otherMonths: [list("Jan Feb Mär Apr Mai Jun Jul Aug Sept Okt Nov Dez")],
    weekdays: [
      list("Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag"),
      list("Mo Di Mi Do Fr Sa So"),
    ],
  },
  fr: {
    day: "{d} {MMMM} {y}",
    months: list(
      "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    ),
    otherMonths: [list("janv févr mars avr mai juin juil août sept oct nov déc")],
    weekdays: [
      list("lundi mardi mercredi jeudi vendredi samedi dimanche"),
      list("lun mar mer jeu ven sam dim"),
    ],
  },
  es: {
    day: "{d} de {MMMM} de {y}",
    months: list(
      "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    ),
    otherMonths: [list("ene feb mar abr may jun jul ago sept oct nov dic")],
    weekdays: [
      list("lunes martes miércoles jueves viernes sábado domingo"),
      list("lun mar mié jue vie sáb dom"),
    ],
  },
  pt: {
    day: "{d} de {MMMM} de {y}",
    months: list(
      "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    ),
    otherMonths: [list("jan fev mar abr mai jun jul ago set out nov dez")],
    weekdays: [
      list("segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo"),
      list("seg ter qua qui sex sáb dom"),
    ],
  },
  it: {
    day: "{d} {MMMM} {y}",
    months: list(
      "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    ),
    otherMonths: [list("gen feb mar apr mag giu lug ago set ott nov dic")],
    weekdays: [
      list("lunedì martedì mercoledì giovedì venerdì sabato domenica"),
      list("lun mar mer gio ven sab dom"),
    ],
  },
  nl: {
    day: "{d} {MMMM} {y}",
    months: list(
      "januari februari maart april mei juni juli augustus september oktober november december",
    ),
    otherMonths: [list("jan feb mrt apr mei jun jul aug sep okt nov dec")],
    weekdays: [
      list("maandag dinsdag woensdag donderdag vrijdag zaterdag zondag"),
      list("ma di wo do vr za zo"),
    ],
  },
  pl: {
    day: "{d} {MMMM} {y}",
    months: list(
      "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
    ),
    otherMonths: [
      list(
        "styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień",
      ),
      list("sty lut mar kwi maj cze lip sie wrz paź lis gru"),
    ],
    weekdays: [
      list("poniedziałek wtorek środa czwartek piątek sobota niedziela"),
      list("pon wt śr czw pt sob niedz"),
    ],
  },
  ru: {
    day: "{d} {MMMM} {y} г.",
    months: list(
      "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    ),
    otherMonths: [
      list("январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь"),
      list("янв февр мар апр мая июн июл авг сент окт нояб дек"),
    ],
    weekdays: [
      list("понедельник вторник среда четверг пятница суббота воскресенье"),
      list("пн вт ср чт пт сб вс"),
    ],
  },
  ja: {
    day: "{y}年{MMMM}{d}日",
    months: numbered("月"),
    otherMonths: [],
    weekdays: [
      list("月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日"),
      list("月 火 水 木 金 土 日"),
    ],
  },
  zh: {
    day: "{y}年{MMMM}{d}日",
    months: numbered("月"),
    otherMonths: [list("一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月")],
    weekdays: [
      list("星期一 星期二 星期三 星期四 星期五 星期六 星期日"),
      list("周一 周二 周三 周四 周五 周六 周日"),
    ],
  },
  ko: {
    day: "{y}년 {MMMM} {d}일",
    months: numbered("월"),
    otherMonths: [],
    weekdays: [
      list("월요일 화요일 수요일 목요일 금요일 토요일 일요일"),
      list("월 화 수 목 금 토 일"),
    ],
  },
} satisfies Readonly<Record<string, DateWords>>;
