import { expect, test } from 'vitest'
import { AppError } from '#contract/app-error.ts'
import { parsePeople } from './parse-people.ts'

const rowsOf = (csv: string) => parsePeople(csv).map(({ row }) => row)
const errorsOf = (csv: string) => rowsOf(csv).map(({ line, errors }) => [line, ...errors])

function fileError(csv: string): string | undefined {
  try {
    parsePeople(csv)
    return undefined
  } catch (error) {
    return error instanceof AppError ? error.message : String(error)
  }
}

test.each([
  ['commas', 'email,first_name,last_name,role\na@b.cd,Zarghuna,Ana,admin\n'],
  ['semicolons', 'Role;Last Name;First Name;E-Mail\nAdmin;Ana;Zarghuna;a@b.cd'],
  ['tabs', 'E-mail address\tGiven name\tSurname\tROLE\na@b.cd\tZarghuna\tAna\tadministrator'],
  [
    'byte order mark, CRLF, quotes',
    '\uFEFF"email","first-name","last-name","role"\r\n"A@b.cd","Zarghuna","Ana","admin"\r\n',
  ],
  ['unknown columns', 'No,email,first name,family name,Department,role\n7,a@b.cd,Zarghuna,Ana,"a, b",admin'],
])('reads a file with %s', (_, csv) => {
  expect(parsePeople(csv).map(({ invitee }) => invitee)).toEqual([
    { email: 'a@b.cd', firstName: 'Zarghuna', lastName: 'Ana', role: 'admin' },
  ])
})

test('a role is none that every object has', () => {
  expect(errorsOf('email,role\na@b.cd,constructor')).toEqual([
    [2, 'There is no role "constructor". Roles: user, admin, super_admin'],
  ])
})

test('an address alone is enough; the role is user', () => {
  expect(rowsOf('email\na@b.cd')).toEqual([
    { line: 2, email: 'a@b.cd', first_name: '', last_name: '', role: 'user', errors: [] },
  ])
})

test.each([
  ['nonsense', 'Please enter a valid email address'],
  ['', 'Email is required'],
  ['a@b', 'Please enter a valid email address'],
])('names a bad address: %j', (address, sentence) => {
  expect(errorsOf(`email,first_name\n${address},Ana`)).toEqual([[2, sentence]])
})

test('names an unknown role, an invisible name, too many values and a duplicate, each by its line', () => {
  const csv = [
    'email,first_name,role',
    'a@b.cd,Ana,user',
    'c@b.cd,Ana,king',
    'd@b.cd,A\u202Ena,user',
    'e@b.cd,Ana,user,surplus',
    'A@B.cd,Again,user',
  ].join('\n')
  expect(errorsOf(csv)).toEqual([
    [2],
    [3, 'There is no role "king". Roles: user, admin, super_admin'],
    [4, 'Names may not hold control or invisible characters'],
    [5, 'There are 4 values, but the first line names 3'],
    [6, 'Line 2 has the same address'],
  ])
})

test.each(['\n', '\r\n', '\r'])('counts lines by the file, also below empty ones and quoted line ends (%j)', (end) => {
  const lines = ['email,first_name', '', 'a@b.cd,"Two', 'lines"', ',,', 'bad,Ana', 'us"er@b.cd,x', 'c@d.ef,Ana']
  expect(errorsOf(lines.join(end))).toEqual([
    [3, 'Names may not hold control or invisible characters'],
    [6, 'Please enter a valid email address'],
    [7, 'Please enter a valid email address'],
    [8],
  ])
})

test('names the line of a quotation mark that is never closed', () => {
  expect(errorsOf('email,first_name\na@b.cd,Ana\nb@b.cd,"Ana\nc@b.cd,Ana\n')).toEqual([
    [2],
    [3, 'A quotation mark is opened here and never closed, so that the rest of the file cannot be read'],
  ])
})

test('takes formulas of spreadsheets as the text they are', () => {
  const [person] = parsePeople('email,first_name\na@b.cd,"=HYPERLINK(""http://x.yz"")"')
  expect(person?.invitee?.firstName).toBe('=HYPERLINK("http://x.yz")')
})

test.each([
  ['first_name,last_name\nZarghuna,Ana', 'The first line must name the columns'],
  ['a@b.cd\nc@d.ef', 'The first line must name the columns'],
  ['email,mail\na@b.cd,c@d.ef', 'The first line names the column email twice'],
  ['email\n\n', 'The file has no people'],
  [`email\n${'a@b.cd\n'.repeat(1001)}`, 'The file has more than 1,000 people'],
])('refuses a file as a whole: %#', (csv, sentence) => {
  expect(fileError(csv)).toContain(sentence)
})
