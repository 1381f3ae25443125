import { generateKeyPairSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '#testing/temporary-folder.ts'

/** Makes a pair of Ed25519 keys in files, and returns their paths. */
export async function makeKeys(): Promise<{ publicFile: string; privateFile: string }> {
  const folder = await temporaryFolder()
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const [publicFile, privateFile] = [join(folder, 'public.pem'), join(folder, 'private.pem')]
  await writeFile(publicFile, publicKey.export({ type: 'spki', format: 'pem' }))
  await writeFile(privateFile, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  return { publicFile, privateFile }
}
