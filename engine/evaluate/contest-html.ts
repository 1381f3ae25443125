import { describeLanguage } from '#contract/languages.ts'
import { countWins } from './contest.ts'
import type { Contest, ContestLine, ContestText } from './contest.ts'
import { productLanguage } from './sample-language.ts'
import type { WordDifference } from './word-differences.ts'

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
article { border-top: 1px solid #8886; padding: .75rem 0 }
h2 { font-size: 1rem; margin: 0 0 .25rem; display: flex; gap: 1rem; font-weight: 600 }
p { margin: .15rem 0 } .who { color: #888; font-size: .875rem }
.better .who::after { content: " · better"; color: #2a7d2a }
mark { background: #f5b72955; color: inherit; border-bottom: 2px solid #c58a00 }
ins { background: #3a7bd533; text-decoration: none; border-bottom: 2px dashed #3a7bd5 }
del { color: #c0392b }
@media (prefers-color-scheme: dark) { .better .who::after { color: #7ac77a } del { color: #ff8a7a } }`

const legends = {
  speech: `<mark>word</mark> heard instead of another (shown when you point at it), <ins>word</ins> that nobody said,
<del>word</del> left out. Scores are word error rates in percent: lower is better.`,
  translation: `<mark>word</mark> where the other model has another, <ins>word</ins> that the other does not have, <del>word</del>
that only the other has. Scores are chrF2: higher is better.`,
}

/** Returns a page of its own, without scripts or anything loaded, that shows a contest line by line. */
export function contestPage(contests: readonly Contest[], sample: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(sample)}: two models compared</title>
<style>${style}</style>
</head>
<body>
<h1>${escapeHtml(sample)}: two models compared</h1>
${contests.map(contestSection).join('\n')}
</body>
</html>
`
}

function contestSection(contest: Contest): string {
  const { first, second, even } = countWins(contest)
  const [a, b] = contest.models.map(escapeHtml)
  return `<section>
<p><strong>${a}</strong> is better in ${first} lines, <strong>${b}</strong> in ${second}, ${even} are even.</p>
<p class="who">${legends[contest.kind]}</p>
${contest.lines.map((line) => lineArticle(line, contest)).join('\n')}
</section>`
}

function lineArticle(line: ContestLine, { kind, models }: Contest): string {
  const codes = line.language.split('-')
  const own = codes.at(-1) ?? ''
  const source = line.source === undefined ? '' : paragraph('text', escapeHtml(line.source), codes[0] ?? '')
  const texts = line.texts.map((text, index) => {
    const unit = kind === 'speech' ? '%' : ''
    const who = `${models[index]} · ${text.score.toFixed(1)}${unit}`
    return paragraph(who, markWords(text), own, line.winner === index ? 'better' : '')
  })
  const reference = paragraph(kind === 'speech' ? 'said' : 'by a person', escapeHtml(line.reference), own)
  return `<article>
<h2>${escapeHtml(line.name)}</h2>
${source}${reference}${texts.join('')}</article>`
}

function paragraph(who: string, html: string, language: string, className = ''): string {
  const code = productLanguage(language)
  const { direction } = describeLanguage(code)
  return `<div class="${className}"><span class="who">${escapeHtml(who)}</span>
<p lang="${escapeHtml(code)}" dir="${direction}">${html}</p></div>
`
}

function markWords({ differences }: ContestText): string {
  return differences.map(markWord).join(' ') || '–'
}

function markWord(difference: WordDifference): string {
  const word = escapeHtml(difference.word)
  if (difference.kind === 'wrong') return `<mark title="${escapeHtml(difference.expected)}">${word}</mark>`
  if (difference.kind === 'extra') return `<ins>${word}</ins>`
  return difference.kind === 'missing' ? `<del>${word}</del>` : word
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
