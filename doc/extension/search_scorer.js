// SPDX-License-Identifier: GPL-2.0-only
// Which hits of the site's search come first (html_search_scorer): chapters that tell users how to do a thing, before
// those that record how it came about. Index entries and titles score 100 and less, words in a text 5.
const CHAPTERS = [
  [/^(log\/|release\/|references|api-cpp)/, -4],
  [/^(gallery|peers|validation-|tutorial\/)/, -2],
  [/^(howto\/|first-|install|options|results|python|plugins|glossary|troubleshooting)/, 2],
];
var Scorer = {
  // [document, title, anchor, description, score, file, kind]
  score: (result) => {
    const rule = CHAPTERS.find(([names]) => names.test(result[0]));
    return result[4] + (rule ? rule[1] : 0);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
