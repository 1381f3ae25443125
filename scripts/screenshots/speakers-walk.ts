import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { absenceOf } from '#testing/needs.ts'
import { buildThreeVoices } from '#testing/three-voices.ts'
import type { Shoot } from './walks.ts'

const workMs = 150_000

/** A mono call with three voices: they are found, named and merged, and a line is moved. Skipped without the recordings. */
export async function correctSpeakers(page: Page, shoot: Shoot): Promise<void> {
  const absence = absenceOf('readers', 'ffmpeg')
  if (absence !== undefined) return console.log(`Skipped: ${absence}`)
  const folder = await mkdtemp(join(tmpdir(), 'awaz-three-voices-'))
  try {
    const call = join(folder, 'call-of-three.wav')
    await buildThreeVoices(call)
    await page.locator('input[type=file]').setInputFiles(call)
    const start = page.getByRole('button', { name: 'Start Transcription', exact: true })
    await start.waitFor()
    await shoot(page, 'speakers-new')
    await page.getByRole('combobox', { name: 'Number of speakers' }).click()
    await page.getByRole('option', { name: '3', exact: true }).click()
    await start.click()
    await page.getByRole('button', { name: 'Retranscribe' }).waitFor({ timeout: workMs })
    await page.getByRole('tab', { name: 'Speakers' }).click()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  await shoot(page, 'speakers-found')
  const panel = page.getByRole('region', { name: 'Speakers' })
  await rename(page, 'Speaker A', 'Gulalai Ahmadzai')
  await rename(page, 'Speaker B', 'احمد شاه')
  const line = page.getByRole('list', { name: 'Transcript Timeline' }).getByRole('listitem').nth(2)
  await line.hover()
  await line.getByRole('button', { name: /^Actions for the line at/ }).click()
  await page.getByRole('menuitemradio', { name: /احمد/ }).waitFor()
  await shoot(page, 'speakers-line-menu')
  await page.getByRole('menuitemradio', { name: /احمد/ }).click()
  await panel.getByRole('button', { name: 'Actions for Speaker C' }).click()
  await page.getByRole('menuitem', { name: 'Gulalai Ahmadzai' }).waitFor()
  await shoot(page, 'speakers-menu')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Start Diarization' }).click()
  await page.getByRole('list', { name: 'Dialogue' }).waitFor({ timeout: workMs })
  await shoot(page, 'speakers-named')
}

async function rename(page: Page, from: string, to: string): Promise<void> {
  await page.getByRole('button', { name: `Rename ${from}` }).click()
  await page.keyboard.type(to)
  await page.keyboard.press('Enter')
  await page.getByText(`${from} is now ${to} · Saved`).waitFor()
}
