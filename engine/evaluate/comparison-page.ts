import { describeLanguage } from '#contract/languages.ts'
import { countWins } from './model-comparison.ts'
import type { ModelComparison, ComparedLine, ComparedText } from './model-comparison.ts'
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
  speech: `<mark>word</mark> substituted for another (shown on hover), <ins>word</ins> inserted, <del>word</del>
deleted. Scores are word error rates in percent: lower is better.`,
  translation: `<mark>word</mark> where the other model has another, <ins>word</ins> that only this model has, <del>word</del>
that only the other model has. Scores are chrF2: higher is better.`,
}

/** Renders a self-contained HTML page, without scripts or external resources, that shows comparisons line by line. */
export function renderComparisonPage(comparisons: readonly ModelComparison[], sample: string): string {
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
${comparisons.map(renderComparison).join('\n')}
</body>
</html>
`
}

function renderComparison(comparison: ModelComparison): string {
  const { first, second, even } = countWins(comparison)
  const [a, b] = comparison.models.map(escapeHtml)
  return `<section>
<p><strong>${a}</strong> is better in ${first} lines, <strong>${b}</strong> in ${second}, ${even} are even.</p>
<p class="who">${legends[comparison.kind]}</p>
${comparison.lines.map((line) => renderLine(line, comparison)).join('\n')}
</section>`
}

function renderLine(line: ComparedLine, { kind, models }: ModelComparison): string {
  const codes = line.language.split('-')
  const target = codes.at(-1) ?? ''
  const source = line.source === undefined ? '' : renderText('source', escapeHtml(line.source), codes[0] ?? '')
  const texts = line.texts.map((text, index) => {
    const unit = kind === 'speech' ? '%' : ''
    const label = `${models[index]} · ${text.score.toFixed(1)}${unit}`
    return renderText(label, renderDifferences(text), target, line.winner === index ? 'better' : '')
  })
  const reference = renderText(
    kind === 'speech' ? 'reference transcript' : 'reference translation',
    escapeHtml(line.reference),
    target,
  )
  return `<article>
<h2>${escapeHtml(line.name)}</h2>
${source}${reference}${texts.join('')}</article>`
}

function renderText(label: string, html: string, language: string, className = ''): string {
  const code = productLanguage(language)
  const { direction } = describeLanguage(code)
  return `<div class="${className}"><span class="who">${escapeHtml(label)}</span>
<p lang="${escapeHtml(code)}" dir="${direction}">${html}</p></div>
`
}

function renderDifferences({ differences }: ComparedText): string {
  return differences.map(renderDifference).join(' ') || '–'
}

function renderDifference(difference: WordDifference): string {
  const word = escapeHtml(difference.word)
  if (difference.kind === 'wrong') return `<mark title="${escapeHtml(difference.expected)}">${word}</mark>`
  if (difference.kind === 'extra') return `<ins>${word}</ins>`
  return difference.kind === 'missing' ? `<del>${word}</del>` : word
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
