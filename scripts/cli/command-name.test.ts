import { expect, test } from 'vitest'
import { withCommandName } from './command-name.ts'

test('help names the command as it is called where Awaz was installed', () => {
  const text = 'Usage: npm run awaz -- backup DIR\n       npm run awaz -- backup list DIR'
  expect(withCommandName(text, '/opt/awaz/awaz')).toBe(
    'Usage: /opt/awaz/awaz backup DIR\n       /opt/awaz/awaz backup list DIR',
  )
  expect(withCommandName(text, undefined)).toBe(text)
})
