// npm run texts: prints the missing texts of each interface language, as JSON to fill in; `-- --prune` removes texts no longer shown.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { interfaceLanguages } from '#contract/texts/interface-languages.ts'
import { readCode } from './check/source-files.ts'
import { collectTexts } from './check/texts.ts'

const root = dirname(import.meta.dirname)
const { texts } = collectTexts(readCode(root))

for (const language of Object.keys(interfaceLanguages).filter((code) => code !== 'en')) {
  const file = join(root, 'server/contract/texts', `${language}.json`)
  const catalog = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  const missing = [...texts].filter((text) => !(text in catalog))
  console.log(`${language}: ${missing.length} of ${texts.size} texts are missing`)
  if (missing.length > 0) console.log(JSON.stringify(Object.fromEntries(missing.map((text) => [text, ''])), null, 2))
  if (!process.argv.includes('--prune')) continue
  const kept = Object.entries(catalog).filter(([english]) => texts.has(english))
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`)
}
