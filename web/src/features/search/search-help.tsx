import { Popover, Stack, Text } from '@mantine/core'
import IconHelp from '@tabler/icons-react/dist/esm/icons/IconHelp.mjs'
import { useState } from 'react'
import { t } from '#contract/texts/t.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { IconButton } from '../../shared/ui/icon-button.tsx'
import classes from './search-help.module.css'

const rules = [
  { example: t('money bridge'), effect: t('both words, anywhere in a line or a call') },
  { example: t('"by the bridge"'), effect: t('these words one after the other') },
  { example: t('bring*'), effect: t('every word that begins so') },
  { example: 'Kandahar', effect: t('a name, also in other spellings and in Arabic script') },
  { example: '"Kandahar"', effect: t('exactly this spelling') },
  { example: t('money -car'), effect: t('not in lines with the word after the minus') },
]

/** A list of what can be typed into the field. */
export function SearchRules() {
  return (
    <Stack component="dl" gap="xs">
      {rules.map(({ example, effect }, index) => (
        <div key={index} className={classes.rule}>
          <dt>
            <code dir="auto">{example}</code>
          </dt>
          <dd>{effect}</dd>
        </div>
      ))}
    </Stack>
  )
}

/** Opens the rules beside the field. */
export function SearchHelp() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Popover
      opened={isOpen}
      onChange={setIsOpen}
      position="bottom-end"
      shadow="md"
      width="min(24rem, 92vw)"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <IconButton label={t('How to search')} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          <IconHelp size={20} stroke={1.5} />
        </IconButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('How to search')} className={classes.help} tabIndex={-1}>
        <SearchRules />
        <Text c="dimmed" inherit mt="sm">
          {rich('Case, accents, digits and spellings of Arabic letters make no difference: {typed} finds {found}.', {
            typed: <bdi lang="ps">پيسي</bdi>,
            found: <bdi lang="ps">پیسې</bdi>,
          })}
        </Text>
      </Popover.Dropdown>
    </Popover>
  )
}
