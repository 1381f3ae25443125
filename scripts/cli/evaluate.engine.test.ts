import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readEvaluations } from '#engine/models/evaluations.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'

const root = join(import.meta.dirname, '..', '..')
const sampleCall = join(root, 'models/demo/sample-call.mp3')

/** Creates a folder for temporary files, one for models, and a sample with one English call and one text pair. */
async function prepare() {
  const folder = await temporaryFolder()
  const paths = { temp: join(folder, 'tmp'), modelsDir: join(folder, 'models'), sample: join(folder, 'our-calls') }
  for (const path of Object.values(paths)) await mkdir(path)
  await copyFile(sampleCall, join(paths.sample, 'call.mp3'))
  await writeFile(join(paths.sample, 'calls.tsv'), 'call.mp3\tmy brother is angry today\ten\n')
  await writeFile(join(paths.sample, 'ps-en.tsv'), 'پیسې سبا راوړه\tbring the money tomorrow\n')
  return { ...paths, env: { ...process.env, TMPDIR: paths.temp, MODELS_DIR: paths.modelsDir } }
}

const command = (args: string[]) => [join(root, 'scripts/awaz.ts'), 'evaluate', ...args]

test('evaluates the models in use on recordings and texts, stores the metrics and writes every line', async () => {
  const { sample, modelsDir, temp, env } = await prepare()
  const lines = join(temp, 'lines.tsv')
  const { status, stdout } = spawnSync(process.execPath, command([sample, '--lines', lines]), { env, encoding: 'utf8' })
  expect(status).toBe(0)
  expect(stdout).toMatch(/demo-speech, at most[^]*en: WER \d+\.\d% \([^]*1 recording/u)
  expect(stdout).toMatch(/demo-translator[^]*ps-en: chrF 100\.0 \(100\.0 to 100\.0\)[^]*1 line/u)
  const evaluations = await readEvaluations(modelsDir)
  expect(evaluations.map(({ model, sample: name, modelHash }) => [model, name, modelHash?.length])).toEqual([
    ['demo-speech', 'our-calls', 64],
    ['demo-translator', 'our-calls', 64],
  ])
  expect(evaluations[0]?.figures[0]).toMatchObject({ items: 1, failed: 0, peakMemoryBytes: expect.any(Number) })
  expect(await readFile(lines, 'utf8')).toContain('bring the money tomorrow\tbring the money tomorrow\n')
  expect(await readdir(temp)).toEqual(['lines.tsv'])
})

test.each([
  ['a model that no catalogue knows', ['--model', 'none'], /^There is no model "none" in the catalogue\./mu],
  ['a model that is not installed', ['--model', 'whisper-base'], /^The model Whisper base is not installed\./mu],
  ['two kinds of models compared', ['--model', 'demo-speech', '--model', 'demo-translator'], /cannot be compared/u],
  ['a page of one model', ['--html', 'x.html'], /^--html shows two models beside each other\./mu],
  ['a folder that cannot be written', ['--lines', '/nowhere/x.tsv'], /^\/nowhere\/x\.tsv could not be written\./mu],
])('refuses %s', async (_, args, sentence) => {
  const { sample, modelsDir, env } = await prepare()
  const { status, stderr } = spawnSync(process.execPath, command([sample, ...args]), { env, encoding: 'utf8' })
  expect(stderr).toMatch(sentence)
  expect(stderr).not.toMatch(/\n\s+at /u)
  expect(status).toBe(1)
  expect(await readdir(modelsDir)).not.toContain('evaluations.json')
})

test('an unreadable recording is reported and ignored; without a readable one the command fails', async () => {
  const { sample, env } = await prepare()
  await writeFile(join(sample, 'bad.wav'), 'no sound\n'.repeat(200))
  await writeFile(join(sample, 'calls.tsv'), 'call.mp3\tmy brother is angry today\ten\nbad.wav\thello\ten\n')
  const args = command([sample, '--model', 'demo-speech'])
  const one = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  expect(one.stdout).toMatch(/1 recording,[^]*Note: bad\.wav: \w/u)
  await writeFile(join(sample, 'calls.tsv'), 'bad.wav\thello\ten\n')
  const none = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  expect(none.status).toBe(1)
  expect(none.stderr).toMatch(/^bad\.wav: \w.*\.$/mu)
})

test('Ctrl-C exits with 130 and leaves no files', async () => {
  const { sample, modelsDir, temp, env } = await prepare()
  const child = spawn(process.execPath, command([sample]), { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const said: string[] = []
  for await (const chunk of child.stderr) {
    said.push(String(chunk))
    if (said.length === 1) child.kill('SIGINT')
  }
  if (child.exitCode === null) await once(child, 'exit')
  expect(child.exitCode).toBe(130)
  expect(said.join('')).toContain('Interrupted; nothing was written.')
  expect(await readdir(temp)).toEqual([])
  expect(await readdir(modelsDir)).not.toContain('evaluations.json')
})
