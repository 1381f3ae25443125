import { readdir } from 'node:fs/promises'
import type { SherpaSpeechModel } from '../sherpa-files.ts'

/**
 * Returns the names of the files in `folder` that belong to a model for sherpa-onnx: those named in its entry, and the weights that ONNX
 * networks keep in external data files.
 */
export async function listOnnxFiles(
  folder: string,
  { files, float32Files }: SherpaSpeechModel['sherpa'],
): Promise<string[]> {
  const named = new Set([...Object.values(files), ...Object.values(float32Files)].map(({ name }) => name))
  const present = await readdir(folder, { recursive: true })
  return present.filter((name) => named.has(name) || /\.(?:data|weights)$/u.test(name))
}
