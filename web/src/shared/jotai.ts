// The one door to jotai: everything else imports from here.
export { atom, Provider as AtomProvider, useAtom, useAtomValue, useSetAtom } from 'jotai'
export { atomWithStorage } from 'jotai/utils'
