import { Table, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './data-table.module.css'

export interface TableColumn<Row> {
  /** Heads the column, and precedes its value where the row is a card. */
  title: string
  /** Replaces the title at the head of the column. */
  head?: ReactNode
  /** How the rows are sorted by this column. */
  sort?: 'ascending' | 'descending' | 'none'
  render: (row: Row) => ReactNode
  /** Default: a plain value. A subject heads its row's card, with the actions in the corner. */
  kind?: 'check' | 'subject' | 'date' | 'text' | 'wide-text' | 'actions'
}

interface DataTableProps<Row> {
  label: string
  columns: TableColumn<Row>[]
  rows: Row[]
  keyOf: (row: Row) => string
  isSelected?: (row: Row) => boolean
}

const unlabelled = ['check', 'subject', 'actions']

/** A table whose rows become cards where a row does not fit. */
export function DataTable<Row>({ label, columns, rows, keyOf, isSelected }: DataTableProps<Row>) {
  return (
    <div className={classes.scroller}>
      <Table aria-label={label} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ title, head = title, kind, sort }) => (
              <Table.Th key={title} data-kind={kind} aria-sort={sort}>
                {kind === 'actions' ? <VisuallyHidden>{head}</VisuallyHidden> : head}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={keyOf(row)} data-selected={isSelected?.(row) || undefined}>
              {columns.map(({ title, kind = 'value', render }) => (
                <Table.Td key={title} data-kind={kind} {...(!unlabelled.includes(kind) && { 'data-label': title })}>
                  {render(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
