import { expect, test } from 'vitest'
import { usernameKey } from './username-key.ts'

test.each([
  ['Admin', 'admin'],
  ['ѕсоре', 'scope'], // Cyrillic throughout
  ['АННА', 'ahha'],
  ['ΑΝΝΑ', 'anna'], // Greek capitals
  ['admın', 'admin'], // dotless i
  ['علي', 'علی'],
  ['كابل', 'کابل'],
  ['محـمد', 'محمد'],
  ['نادیه۷', 'نادیه7'],
  ['نادیه٧', 'نادیه7'],
])('%s and %s are the same username', (name, other) => expect(usernameKey(name)).toBe(usernameKey(other)))

test.each([
  ['nadia', 'nadja'],
  ['josé', 'jose'],
  ['زرغونه', 'زرغونې'],
  ['ګل', 'کل'],
  ['user1', 'userl'],
])('%s and %s are different usernames', (name, other) => expect(usernameKey(name)).not.toBe(usernameKey(other)))
