// SPDX-License-Identifier: GPL-2.0-only
// Which hits of the site's search come first (html_search_scorer): chapters that tell users how to do a thing, before
// those that record how it came about. Index entries and titles score 100 and less, words in a text 5.
const CHAPTERS = [
  [/^(log\/|release\/|references|api-cpp)/, -4],
  [/^(gallery|peers|validation-|tutorial\/)/, -2],
  [/^(howto\/|first-|install|options|results|python|plugins|troubleshooting)/, 2],
  [/^glossary/, -1], // a word with a chapter of its own is explained there
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

// A page whose title or index has the words is one hit: Sphinx has it once more for its text.
const oncePerPage = (hits) => {
  const named = new Set(hits.filter((hit) => hit[6] !== "text").map((hit) => hit[0]));
  return hits.filter((hit) => hit[6] !== "text" || !named.has(hit[0]));
};
const searchOncePerPage = () => {
  if (typeof Search === "undefined" || !Search._performSearch) return;
  const search = Search._performSearch;
  Search._performSearch = (...words) => oncePerPage(search(...words));
};
// Sphinx's own script comes before this file or, in other themes, after it
if (typeof Search === "undefined") document.addEventListener("DOMContentLoaded", searchOncePerPage);
else searchOncePerPage();
