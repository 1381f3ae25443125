import { Button, Group, TextInput } from '@mantine/core'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import type { ReactNode } from 'react'
import { t } from '#contract/texts/t.ts'
import classes from './admin.module.css'
import common from '../../shared/ui/common.module.css'

interface ListToolsProps {
  search: string
  onSearch: (search: string) => void
  onRefresh: () => void
  label: string
  /** Buttons beside Refresh. */
  actions?: ReactNode
  /** Filters. */
  children?: ReactNode
}

/** Search-as-you-type, Refresh, and whatever else a list needs. */
export function ListTools({ search, onSearch, onRefresh, label, actions, children }: ListToolsProps) {
  return (
    <Group gap="sm" py={14} px={20} className={common.lineBelow}>
      <TextInput
        className={classes.search}
        aria-label={label}
        placeholder={label}
        leftSection={<IconSearch size={16} stroke={1.5} />}
        value={search}
        onChange={(event) => onSearch(event.currentTarget.value)}
      />
      {children}
      <Group gap="xs" align="stretch" ms="auto">
        {actions}
        <Button variant="default" leftSection={<IconRefresh size={16} stroke={1.5} />} onClick={onRefresh}>
          {t('Refresh')}
        </Button>
      </Group>
    </Group>
  )
}
