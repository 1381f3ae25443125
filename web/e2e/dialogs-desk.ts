import type { Page } from 'playwright-core'
import { clickButton, clickMenuItem, type DialogGroup } from './scene-tools.ts'

/** Presses a button inside the popover that another button opens. */
function pressWithin(name: string, inner: string | RegExp) {
  return async (page: Page) => {
    await clickButton(name)(page)
    await page.getByRole('dialog').getByRole('button', { name: inner }).click()
  }
}

/** The dialogs of the desk. */
export const deskDialogs: DialogGroup[] = [
  {
    path: '/transcribe',
    dialogs: {
      async export(page) {
        await clickButton('Export')(page)
        await page.getByRole('menuitem', { name: /^Harbour/ }).waitFor()
      },
      'new report template': clickMenuItem('Export', 'Save as a report template…'),
      async 'report templates'(page) {
        await clickMenuItem('Export', 'Change or delete templates…')(page)
        await page.getByRole('list', { name: 'Report templates' }).waitFor()
      },
      view: clickButton('View'),
      'playback speed': clickButton(/^Playback speed/),
      listening: clickButton(/^Listening/),
      'keys and pedals': pressWithin('Listening', 'Keys and pedals…'),
      'legal hold on the desk': pressWithin('Details', 'Legal hold…'),
      'activity on the desk': pressWithin('Details', 'Activity'),
      retranscribe: clickButton('Retranscribe'),
      details: clickButton('Details'),
      'keyboard shortcuts': (page) => page.keyboard.press('?'),
      async 'command palette'(page) {
        await page.keyboard.press('Control+k')
        await page.getByText('Play or pause').waitFor()
      },
      async 'menu of a line'(page) {
        await page.getByRole('list', { name: 'Transcript Timeline' }).getByRole('listitem').first().hover()
        await clickButton(/^Actions for the line at/)(page)
      },
      async 'menu of a speaker'(page) {
        await page.getByRole('tab', { name: 'Speakers' }).click()
        await clickButton('Actions for Left Channel')(page)
      },
      async 'why a line is uncertain'(page) {
        await page.getByRole('list', { name: 'Transcript Timeline' }).getByRole('listitem').first().hover()
        await clickButton(/^Actions for the line at/)(page)
        await page.getByRole('menuitem', { name: 'Uncertain, because…' }).click()
      },
    },
  },
]
