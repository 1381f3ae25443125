import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** A part of a release whose licence differs from that of Awaz, with the licence text. */
export interface ThirdPartyNotice {
  name: string
  licence: string
  text: string
}

const Author = z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)])
const PackageFile = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string().optional(),
  author: Author.optional(),
})

const textFile = /^(?:mit-)?(?:licen[cs]es?|copying|notice|unlicense)(?:[.-][\w.-]+)?$/i
const readme = /^readme\.md$/i

/** SPDX ids for licence names that packages spell differently. */
const spellings: Record<string, string> = { GPLv3: 'GPL-3.0' }

/**
 * Components compiled into packages or shipped beside them. Each text is a file, or the standard licence text with the copyright holder.
 */
const parts: { name: string; licence: string; holder?: string; file?: string }[] = [
  {
    name: 'whisper.cpp and ggml (in node_modules/.awaz/whisper.node)',
    licence: 'MIT',
    holder: '2023-2026 The ggml authors',
  },
  {
    name: 'whisper.rn, whose sources of whisper.cpp are built',
    licence: 'MIT',
    file: 'node_modules/.awaz/whisper-sources/LICENSE',
  },
  { name: 'llama.cpp and ggml (in @node-llama-cpp)', licence: 'MIT', holder: '2023-2026 The ggml authors' },
  { name: 'ONNX Runtime (in sherpa-onnx)', licence: 'MIT', holder: 'Microsoft Corporation' },
  { name: 'Silero VAD (models/vad)', licence: 'MIT', file: 'models/vad/LICENSE' },
  { name: 'pyannote segmentation-3.0 (models/speakers)', licence: 'MIT', file: 'models/speakers/LICENSE.pyannote' },
  { name: 'CAM++ of 3D-Speaker (models/speakers)', licence: 'Apache-2.0', file: 'models/speakers/LICENSE.campplus' },
]

/** Returns the notices of packages, such as `node_modules/koa`, that are installed, and of the native parts and models. */
export async function collectNotices(root: string, packages: readonly string[]): Promise<ThirdPartyNotice[]> {
  const installed = packages.filter((path) => existsSync(join(root, path)))
  const ofPackages = await Promise.all(installed.map((path) => readNotice(join(root, path))))
  const ofParts = parts.map(async ({ name, licence, holder, file }) => ({
    name,
    licence,
    text: file === undefined ? await standardText(licence, holder) : await readFile(join(root, file), 'utf8'),
  }))
  return [...ofPackages, ...(await Promise.all(ofParts))]
}

/** Formats the notices as one text. Packages with the same licence text share a section. */
export function formatNotices(notices: readonly ThirdPartyNotice[]): string {
  const byText = Map.groupBy(notices, ({ text }) => text.trim())
  const sections = [...byText].map(([text, members]) => {
    const titles = members.map(({ name, licence }) => `${name} (${licence})`).toSorted()
    return [...new Set(titles), '', text].join('\n')
  })
  const rule = `\n\n${'-'.repeat(80)}\n\n`
  const head = 'Awaz is under the MIT License (LICENSE). It comes with the following, under licences of their own.'
  return `${[head, ...sections.toSorted()].join(rule)}\n`
}

async function readNotice(folder: string): Promise<ThirdPartyNotice> {
  const about = PackageFile.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')))
  const names = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
  const files = names.filter((name) => textFile.test(name)).toSorted()
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  const readmeName = names.find((name) => readme.test(name))
  const inReadme = readmeName === undefined ? undefined : licenceIn(await readFile(join(folder, readmeName), 'utf8'))
  const licence = spellings[about.license ?? ''] ?? about.license ?? 'see below'
  return {
    name: `${about.name} ${about.version}`,
    licence,
    text:
      texts.join('\n').trim() ||
      inReadme ||
      (await standardText(licence, about.author ?? `the authors of ${about.name}`)),
  }
}

/** Returns the licence text in a README; undefined if the README only names one. */
function licenceIn(manual: string): string | undefined {
  const section = /^.*licen[cs]e.*\n(?:[-=]+\n)?([^]*)/im.exec(manual)?.[1] ?? ''
  const end = /(?:IN THE\s+SOFTWARE|THE SOFTWARE|OF THIS SOFTWARE)\.\s*$/m.exec(section)
  return end && /permission is hereby granted|permission to use, copy/i.test(section)
    ? section.slice(0, end.index + end[0].length).trim()
    : undefined
}

async function standardText(licence: string, holder: string | undefined): Promise<string> {
  const text = await readFile(join(import.meta.dirname, 'licences', `${licence}.txt`), 'utf8')
  return holder === undefined ? text : `Copyright (c) ${holder}\n\n${text}`
}
