import { Box, Button, Menu, Text } from '@mantine/core'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import type { ComponentPropsWithRef, ReactNode } from 'react'
import { t } from '#contract/texts/t.ts'
import { formatNumber } from '../../shared/format.ts'
import { Isolated } from '../../shared/ui/isolated.tsx'
import classes from './filter-bar.module.css'
import common from '../../shared/ui/common.module.css'

interface FilterOption<Value extends string> {
  value: Value
  label: string
  icon?: ReactNode
  /** How many recordings have this value. */
  count?: number
}

interface FilterMenuProps<Value extends string> {
  label: string
  options: FilterOption<Value>[]
  selected: readonly Value[]
  onChange: (selected: Value[]) => void
  /** Shown if there is nothing to choose from. */
  emptyText: string
  /** Whether only one value can be chosen. */
  isSingle?: boolean
}

/** Longer lists get a search field. */
const maxWithoutSearch = 10

/** A condition with several values, any number of which can be chosen. */
export function FilterMenu<Value extends string>(props: FilterMenuProps<Value>) {
  const { label, options, selected, onChange, emptyText, isSingle = false } = props

  function toggle(value: Value, isOn: boolean) {
    const others = isSingle ? [] : selected.filter((each) => each !== value)
    onChange(isOn ? [...others, value] : others)
  }

  return (
    <Menu position="bottom-start" width={240} closeOnItemClick={isSingle}>
      <Menu.Target>
        <FilterButton label={label} count={selected.length} />
      </Menu.Target>
      <Menu.Dropdown mah={360} className={classes.dropdown} aria-label={label}>
        {options.length > maxWithoutSearch && (
          <Menu.Search placeholder={t('Search')} aria-label={t('Search {label}', { label })} />
        )}
        {options.map(({ value, label: name, icon, count }) => (
          <Menu.CheckboxItem
            key={value}
            checked={selected.includes(value)}
            onChange={(isOn) => toggle(value, isOn)}
            rightSection={
              count !== undefined && (
                <Text span size="xs" c="dimmed">
                  {formatNumber(count)}
                </Text>
              )
            }
          >
            <span className={classes.option}>
              {icon}
              <Isolated>{name}</Isolated>
            </span>
          </Menu.CheckboxItem>
        ))}
        {options.length === 0 && (
          <Text size="sm" c="dimmed" p="xs">
            {emptyText}
          </Text>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

interface FilterButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'color'> {
  label: string
  /** How many values are chosen. */
  count: number
}

/** The button that opens the values of a condition. */
export function FilterButton({ label, count, ...rest }: FilterButtonProps) {
  return (
    <Button
      {...rest}
      className={classes.button}
      variant="subtle"
      color="gray"
      size="compact-sm"
      h={32}
      data-active={count > 0 || undefined}
      rightSection={<IconChevronDown size={14} stroke={1.5} aria-hidden />}
    >
      {label}
      {count > 1 && (
        <Box component="span" ms={4} className={common.figures}>
          {' '}
          {formatNumber(count)}
        </Box>
      )}
    </Button>
  )
}
