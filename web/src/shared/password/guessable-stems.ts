/** What most guessable passwords are built on. The server knows 49,000; these are enough for the meter to praise none of the usual ones. */
const commonStems: ReadonlySet<string> = new Set(
  [
    'password passwort passwd pass secret welcome login admin administrator root user guest test testing changeme default',
    'qwerty qwertz azerty qwertyuiop asdf asdfgh asdfghjkl zxcvbn zxcvbnm abc abcd abcdef abcdefgh',
    'letmein iloveyou monkey dragon football baseball soccer superman batman starwars pokemon sunshine princess master shadow',
    'hello freedom whatever trustno computer internet company office summer winter spring autumn monday friday january december',
    'awaz kabul afghanistan pakistan london newyork',
  ].flatMap((line) => line.split(' ')),
)

const leetLetters: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
}

/** Whether the password is a very common one, with capitals, digits and punctuation at most: `P@ssw0rd1!`, `Summer2026!`. */
export function isPlainlyCommon(password: string): boolean {
  const lower = password.toLowerCase()
  const core = lower.replace(/^[^a-z@$]+|[^a-z]+$/g, '')
  const letters = core.replace(/[013457@$]/g, (sign) => leetLetters[sign] ?? sign).replace(/[^a-z]/g, '')
  return commonStems.has(letters) || commonStems.has(lower.replace(/[^a-z]/g, ''))
}
