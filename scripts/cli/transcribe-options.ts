import { parseArgs } from 'node:util'
import { AppError } from '#contract/app-error.ts'
import { doubtChoices, type DoubtChoice } from '#contract/formats/lines.ts'
import {
  defaultTranscriptionLanguage,
  isTranslationLanguage,
  transcriptionLanguages,
  TranscriptionLanguageChoice,
} from '#contract/languages.ts'
import { LikelyNames, maxNames, splitNames } from '#contract/likely-names.ts'
import { maxSpeakerCount } from '#contract/speaker-corrections.ts'

const channelNames = ['left', 'right'] as const

export const outputFormats = ['text', 'json', 'srt', 'vtt'] as const
export type OutputFormat = (typeof outputFormats)[number]

export interface TranscribeOptions {
  file: string
  /** One language, or one per channel, left first. */
  languages: TranscriptionLanguageChoice[]
  /** Names that are likely to occur. */
  names: LikelyNames
  /** Number of speakers in a mono recording. Default: determined from the voices. */
  speakerCount: number | undefined
  /** Whether each channel of a stereo recording has several speakers, left first. */
  splitVoices: boolean[]
  /** Code of the target language; undefined for no translation. */
  target: string | undefined
  keywordFile: string | undefined
  format: OutputFormat
  /** How text, srt and vtt mark what the model was uncertain of. */
  doubt: DoubtChoice
  out: string | undefined
}

export const transcribeUsage = `Usage: npm run awaz -- transcribe FILE [options]

  --language L      ${transcriptionLanguages.join(', ')}, auto (detected) or multi (detected part by part);
                    two with a comma for left and right (default ${defaultTranscriptionLanguage})
  --names LIST      names of people and places that are likely to occur, such as "Ahmad, Kandahar"; at most ${maxNames}, other words
                    make the transcript worse (default none)
  --speakers N      how many people speak in a mono recording, 1 to ${maxSpeakerCount} (default: counted from the voices)
  --split CHANNELS  left, right or left,right: the channels of a stereo recording on which several people speak (default none)
  --translate L     also translate, such as en
  --keywords FILE   scan for the keywords of a JSON file instead of the built-in ones (shown on a terminal and in json)
  --format F        ${outputFormats.join(', ')} (default text)
  --doubt D         mark puts [?] after uncertain words, only leaves the certain lines out; not for json (default none)
  --out FILE        write to a file instead of standard output`

/**
 * Parses the arguments of `awaz transcribe`. Returns 'help' for `--help`.
 * @throws AppError `invalid_input` or `unsupported_language` with a message for the user
 */
export function parseTranscribeOptions(args: string[]): TranscribeOptions | 'help' {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      language: { type: 'string', short: 'l', default: defaultTranscriptionLanguage },
      names: { type: 'string', default: '' },
      speakers: { type: 'string' },
      split: { type: 'string', default: '' },
      translate: { type: 'string', short: 't' },
      keywords: { type: 'string', short: 'k' },
      format: { type: 'string', short: 'f', default: 'text' },
      doubt: { type: 'string', default: 'none' },
      out: { type: 'string', short: 'o' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return 'help'
  const [file, ...more] = positionals
  if (!file) throw new AppError('invalid_input', 'Name the recording to transcribe.', { help: transcribeUsage })
  if (more.length > 0) throw new AppError('invalid_input', 'Name one recording at a time.')
  return {
    file,
    languages: parseLanguages(values.language),
    names: parseNames(values.names),
    speakerCount: parseSpeakerCount(values.speakers),
    splitVoices: parseSplit(values.split),
    target: parseTarget(values.translate),
    keywordFile: values.keywords,
    format: parseChoice(values.format, outputFormats, 'a format'),
    doubt: parseChoice(values.doubt, doubtChoices, 'a way to show doubt'),
    out: values.out,
  }
}

function parseLanguages(text: string): TranscriptionLanguageChoice[] {
  const codes = text.split(',').map((code) => code.trim())
  if (codes.length > 2) throw new AppError('invalid_input', 'Name at most two languages, one for each channel.')
  return codes.map((code) => {
    const parsed = TranscriptionLanguageChoice.safeParse(code)
    if (parsed.success) return parsed.data
    const known = TranscriptionLanguageChoice.options.join(', ')
    throw new AppError('unsupported_language', `"${code}" is not a language Awaz transcribes.`, {
      help: `Choose one of ${known}.`,
    })
  })
}

function parseNames(text: string): LikelyNames {
  const { data, error } = LikelyNames.safeParse(splitNames(text))
  if (data) return data
  throw new AppError('invalid_input', `${error.issues[0]?.message}.`, { help: 'Separate names with commas.' })
}

function parseSpeakerCount(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= maxSpeakerCount) return count
  throw new AppError('invalid_input', `"${text}" is not a number of speakers from 1 to ${maxSpeakerCount}.`)
}

function parseSplit(text: string): boolean[] {
  const named = text === '' ? [] : text.split(',').map((name) => parseChoice(name.trim(), channelNames, 'a channel'))
  return named.length === 0 ? [] : channelNames.map((name) => named.includes(name))
}

function parseTarget(code: string | undefined): string | undefined {
  if (code === undefined || isTranslationLanguage(code)) return code
  throw new AppError('unsupported_language', `"${code}" is not a language Awaz translates into.`, {
    help: 'Use a two-letter code such as en, ur or ar.',
  })
}

function parseChoice<Choice extends string>(text: string, choices: readonly Choice[], what: string): Choice {
  const choice = choices.find((name) => name === text)
  if (choice) return choice
  throw new AppError('invalid_input', `"${text}" is not ${what}.`, { help: `Choose one of ${choices.join(', ')}.` })
}
