import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readOnnx } from '../onnx-file.ts'
import { sherpaFamilies, sherpaFamilyNames, type SherpaFamilyName } from '../sherpa-families.ts'

/** The files of a model for sherpa-onnx by role, as named in a catalog entry. */
export interface OnnxModel {
  /** Undefined for a CTC network that does not identify itself. */
  family: SherpaFamilyName | undefined
  files: Record<string, { name: string }>
  isInt8: boolean
  float32Files: Record<string, { name: string }>
}

/** Names of CTC families in a network's metadata or in the name of its folder. */
const ctcFamilies: [pattern: RegExp, family: SherpaFamilyName][] = [
  [/omnilingual/iu, 'omnilingual'],
  [/dolphin/iu, 'dolphin'],
  [/sense[-_]?voice/iu, 'sense-voice'],
  [/EncDec\w*CTC|nemo[-_]ctc|fast-?conformer/iu, 'nemo-ctc'],
]

/** Finds the sherpa-onnx model in a folder by the names of its files; undefined if there is none. */
export async function findOnnxModel(folder: string): Promise<OnnxModel | undefined> {
  const names = (await readdir(folder, { recursive: true })).toSorted()
  const networks = names.filter((name) => name.endsWith('.onnx'))
  const tokens = names.find((name) => /(?:^|[-_/])tokens\.txt$/u.test(name))
  const encoder = choose(networks, /encoder/u)
  const decoder = choose(networks, /decoder/u)
  const front = choose(networks, /conv_?frontend/u)
  if (front && encoder && decoder) return findQwen(names, { convFrontend: front, encoder, decoder })
  const joiner = choose(networks, /joiner/u)
  if (encoder && decoder && joiner && tokens) return toModel('transducer', { encoder, decoder, joiner }, { tokens })
  if (encoder && decoder && tokens) {
    const type = (await readMetadata(folder, encoder)).get('model_type') ?? ''
    const family = sherpaFamilyNames.find((name) => sherpaFamilies[name].encoder?.type.test(type)) ?? 'whisper'
    return toModel(family, { encoder, decoder }, { tokens })
  }
  const model = choose(networks, /model/u)
  if (!model || !tokens) return undefined
  const said = [...(await readMetadata(folder, model))].flat().join(' ')
  return toModel(findCtcFamily(said) ?? findCtcFamily(folder), { model }, { tokens })
}

/** The files of a network: with 8-bit weights, with float32, or both. */
interface Weights {
  int8: string | undefined
  float32: string | undefined
}

function choose(networks: string[], pattern: RegExp): Weights | undefined {
  const fitting = networks.filter((name) => pattern.test(name))
  const int8 = fitting.find((name) => name.includes('int8'))
  const float32 = fitting.find((name) => !name.includes('int8'))
  return int8 === undefined && float32 === undefined ? undefined : { int8, float32 }
}

function findQwen(names: string[], networks: Record<string, Weights>): OnnxModel | undefined {
  const find = (file: string) => names.find((name) => name === file || name.endsWith(`/${file}`))
  const [vocab, merges, tokenizerConfig] = [find('vocab.json'), find('merges.txt'), find('tokenizer_config.json')]
  if (!vocab || !merges || !tokenizerConfig) return undefined
  return toModel('qwen3-asr', networks, { vocab, merges, tokenizerConfig })
}

function toModel(
  family: SherpaFamilyName | undefined,
  networks: Record<string, Weights>,
  others: Record<string, string>,
): OnnxModel {
  const all = Object.entries(networks)
  const isInt8 = all.some(([, { int8 }]) => int8 !== undefined)
  const name = (file: string | undefined) => ({ name: file ?? '' })
  const files = all.map(([role, { int8, float32 }]) => [role, name(int8 ?? float32)] as const)
  const plain = all.filter(([, { int8, float32 }]) => int8 !== undefined && float32 !== undefined)
  // The float32 files count only if every network has one.
  const hasAll = all.every(([, { float32 }]) => float32 !== undefined)
  return {
    family,
    files: {
      ...Object.fromEntries(files),
      ...Object.fromEntries(Object.entries(others).map(([role, file]) => [role, name(file)])),
    },
    isInt8,
    float32Files: isInt8 && hasAll ? Object.fromEntries(plain.map(([role, { float32 }]) => [role, name(float32)])) : {},
  }
}

/** Returns a network's metadata; empty if it cannot be read, which is reported when the network is checked. */
async function readMetadata(folder: string, { int8, float32 }: Weights): Promise<ReadonlyMap<string, string>> {
  const read = await readOnnx(join(folder, int8 ?? float32 ?? ''))
  return 'problem' in read ? new Map() : read.metadata
}

function findCtcFamily(text: string): SherpaFamilyName | undefined {
  return ctcFamilies.find(([pattern]) => pattern.test(text))?.[1]
}
