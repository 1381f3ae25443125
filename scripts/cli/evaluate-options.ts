import { parseArgs } from 'node:util'
import { AppError } from '#contract/app-error.ts'

export interface EvaluateCommand {
  folder: string
  /** Ids of at most two models; empty for those in use. */
  models: string[]
  language: string | undefined
  pair: string | undefined
  /** Languages or pairs to evaluate; empty for all. */
  only: string[]
  /** Maximum number of recordings or lines per language. */
  limit: number
  /** Path for the comparison of two models as an HTML page. */
  html: string | undefined
  /** Path for all lines as tab-separated values. */
  lines: string | undefined
}

export const evaluateUsage = `Usage: npm run awaz -- evaluate DIR [options]

Evaluates models on your own sample. DIR contains recordings with their texts (call.wav and call.txt, or a .tsv of file, text and language with
tabs between), or text pairs (ps-en.tsv: the text, a tab, its translation). Results are stored in MODELS_DIR/evaluations.json and shown by
models list.

  --model ID        the model to measure; named twice, two models are compared line by line (default: the models in use)
  --language L      the language of recordings that name none
  --pair S-T        the languages of text pairs that name none, such as ps-en
  --only LIST       evaluate only these languages or pairs, such as en,ar
  --limit N         at most N recordings or lines of each language
  --html FILE       write the comparison of two models as an HTML page
  --lines FILE      write every line with its reference and the results of the models, as tab-separated values`

/**
 * Reads the arguments of `awaz evaluate`.
 *
 * @throws AppError `invalid_input` with a message for the user
 */
export function parseEvaluateOptions(args: string[]): EvaluateCommand | 'help' {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      model: { type: 'string', short: 'm', multiple: true, default: [] },
      language: { type: 'string', short: 'l' },
      pair: { type: 'string' },
      only: { type: 'string', default: '' },
      limit: { type: 'string' },
      html: { type: 'string' },
      lines: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return 'help'
  const [folder, ...more] = positionals
  if (!folder || more.length > 0) {
    throw new AppError('invalid_input', 'Name one folder with a sample.', { help: evaluateUsage })
  }
  const models = [...new Set(values.model)]
  if (models.length > 2) throw new AppError('invalid_input', 'Name at most two models.')
  if (values.html !== undefined && models.length < 2) {
    throw new AppError('invalid_input', '--html shows two models beside each other.', {
      help: 'Name both with --model.',
    })
  }
  const only = values.only.split(',').map((code) => code.trim())
  return {
    folder,
    models,
    language: values.language,
    pair: values.pair,
    only: only.filter((code) => code !== ''),
    limit: parseLimit(values.limit),
    html: values.html,
    lines: values.lines,
  }
}

function parseLimit(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY
  const limit = Number(text)
  if (Number.isInteger(limit) && limit > 0) return limit
  throw new AppError('invalid_input', `"${text}" is not a number of recordings or lines.`)
}
