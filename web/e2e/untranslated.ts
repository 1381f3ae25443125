import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { translationLanguages } from '#contract/languages.ts'
import { loadMarkedEnglish, unmarkedWords } from '#testing/pseudo-language.ts'
import { escapePattern } from '#testing/text-forms.ts'
import { isEnglish } from './reader-language.ts'
import { listShownTexts } from './shown-texts.ts'

/** Marks the English texts of the pages, so that their words can be told from hard-coded ones. Marks nothing in other languages. */
export async function markTexts(page: Page): Promise<void> {
  if (!isEnglish) return
  await page.addInitScript(
    (marked) => {
      globalThis.awazTexts = marked
    },
    await loadMarkedEnglish(),
  )
}

/** Lists the untranslated texts on a page that `markTexts` prepared, exactly as shown. */
export async function listUntranslated(page: Page): Promise<string[]> {
  if (!isEnglish) return []
  const shown = await listShownTexts(page)
  return shown.filter((text) => unmarkedWords(sameEverywhere.reduce(withoutMatches, text)).length > 0)
}

function withoutMatches(text: string, pattern: RegExp): string {
  return text.replaceAll(pattern, ' ')
}

/** The names, licences and sources of the models. */
function listModelWords(): string[] {
  const catalog = readFileSync(join(import.meta.dirname, '../../models/catalog.json'), 'utf8')
  return [...catalog.matchAll(/"(?:name|corpus|licen[cs]e\w*)": "([^"]+)"/g)].map(([, words = '']) => words)
}

function anyOf(words: string[]): RegExp {
  const longestFirst = words.toSorted((a, b) => b.length - a.length)
  const sources = longestFirst.map(escapePattern)
  return new RegExp(String.raw`(?<!\w)(?:${sources.join('|')})(?!\w)`, 'g')
}

/** What is not interface text, on the pages and in the scenes of these tests. */
const sameEverywhere = [
  // Buttons of mails in the outbox: their subjects are in the language of the recipient.
  /^(?:Read|Send)\b.+@.+/g,
  // Addresses, paths, settings and commands.
  /\S+@[\w.-]+/g,
  /https?:\S+/g,
  /(?<!\w)\/opt\/awaz\/awaz \w+/g,
  /(?<![^\s\u200e])\/\S+/g,
  /\b[A-Z]+_[A-Z_]+\b/g,
  /npm run awaz(?: -- \w+)?/g,
  // Ids and keys, as the audit trail shows them.
  /\b(?:awz_\w+|[0-9a-f]{24})\b/g,
  // Hashes, and model settings in the engine's format.
  /\b[0-9a-f]{64}\b/g,
  /^languages: .*/g,
  // What the engine inserts into a sentence (docs/languages.md).
  /^The passage from [\d:]+ to [\d:]+/g,
  // Products and standards.
  anyOf([
    ...listModelWords(),
    'Awaz demo speech model',
    'Awaz demo speech',
    'Awaz demo translator',
    'Awaz',
    'whisper.cpp',
    'llama.cpp',
    'node-llama-cpp',
    'onnxruntime',
    'sherpa-onnx',
    'ffmpeg',
    'Node.js',
  ]),
  anyOf([
    'CPU',
    'UTC',
    'SHA-256',
    'WAV',
    'MP3',
    'Keycloak',
    'Microsoft Entra ID',
    'Active Directory',
    'OpenLDAP',
    'StartTLS',
    'OpenID Connect',
  ]),
  // Keys.
  /\bShift F\d+\b|\bAlt [A-Z]\b/g,
  // Formatted by Intl in the reader's language: dates, durations, names of languages.
  /\b\d+ (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4}/g,
  /\b\d+(?:\.\d+)? (?:(?:second|minute|hour|day|month|year)s?(?: ago)?|[MG]iB)/g,
  anyOf([...Object.values(translationLanguages).map(({ name }) => name), 'and']),
  // Roles as written in a CSV file.
  /\(user or/g,
  // What people, browsers and mail servers wrote, and a mail in the language of its reader.
  /sample-call\.\w+/g,
  /person-\w+/g,
  anyOf(['admin', 'Harbour', 'Port', 'jobs', 'Relaying denied', 'Your password reset code']),
  // People and a provider from other tests, which share the product.
  anyOf([
    'Zarghuna',
    'zarghuna',
    'Ana',
    'Nazo',
    'nazo',
    'Leila',
    'Ahmadi',
    'leila',
    'malalai',
    'spozhmai',
    'Person',
    'Test ID',
  ]),
  /\bnode\b|\bChrome\b|\bLinux\b|Playwright\/.*/g,
]
