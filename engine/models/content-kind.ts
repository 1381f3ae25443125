import { open } from 'node:fs/promises'

/** The format of a file, judged by its first bytes. */
export type ContentKind = keyof typeof descriptions

const descriptions = {
  ggml: 'a speech model in ggml format',
  gguf: 'a GGUF file, the format of translation models',
  onnx: 'a network in ONNX format',
  safetensors: 'a file of safetensors',
  zip: 'a ZIP archive',
  gzip: 'a gzip archive',
  bzip2: 'a bzip2 archive',
  tar: 'a tar archive',
  empty: 'an empty file',
  page: 'a web page',
  pointer: 'a pointer of Git LFS instead of the file itself',
  text: 'a text file',
  unknown: 'of an unknown kind',
} as const

/** Returns a description of this kind of file that can follow "it is". */
export function describeContent(kind: ContentKind): string {
  return descriptions[kind]
}

const headBytes = 4096

/** Detects the kind of a file from its content, regardless of its name. */
export async function readContentKind(path: string): Promise<ContentKind> {
  const file = await open(path)
  try {
    const buffer = Buffer.alloc(headBytes)
    const { bytesRead } = await file.read(buffer, 0, headBytes, 0)
    return kindOf(buffer.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}

function kindOf(start: Buffer): ContentKind {
  if (start.length === 0) return 'empty'
  if (start.length >= 4 && start.readUInt32LE(0) === 0x67676d6c) return 'ggml'
  const begins = (text: string) => start.subarray(0, text.length).toString('latin1') === text
  if (begins('GGUF')) return 'gguf'
  if (begins('PK\u0003\u0004') || begins('PK\u0005\u0006')) return 'zip'
  if (begins('\u001F\u008B')) return 'gzip'
  if (begins('BZh')) return 'bzip2'
  if (start.subarray(257, 262).toString('latin1') === 'ustar') return 'tar'
  // A safetensors file: an 8-byte length, then a JSON object.
  if (start.length > 9 && start[8] === 0x7b && start.readUInt32LE(4) === 0) return 'safetensors'
  if (isText(start)) return kindOfText(start.toString('utf8').trimStart())
  // An ONNX file begins with field 1 of ModelProto, its version as a number below 128.
  if (start[0] === 0x08 && (start[1] ?? 255) < 32) return 'onnx'
  return 'unknown'
}

function kindOfText(text: string): ContentKind {
  if (/^<(?:!doctype|html|\?xml)/iu.test(text)) return 'page'
  if (text.startsWith('version https://git-lfs.github.com/spec/')) return 'pointer'
  return 'text'
}

/** Whether the bytes have no control characters other than white space and escape, and are valid UTF-8 except for a cut at the end. */
function isText(start: Buffer): boolean {
  if (start.some((byte) => byte < 32 && ![9, 10, 12, 13, 27].includes(byte))) return false
  const broken = start.toString('utf8').split('\uFFFD').length - 1
  return broken <= 1
}
