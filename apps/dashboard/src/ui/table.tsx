/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role --
   on a phone the table's display changes, and browsers then drop its implicit roles */
import { Fragment, type ReactNode } from 'react'
import { useSharedTexts } from '../texts/texts-context.ts'
import { classes } from './classes.ts'

export type Column<Row> = {
  /** Empty for a column of buttons. */
  title: string
  cell: (row: Row) => ReactNode
  /** The cell that names the row. On a phone it comes first. */
  rowHeader?: true
  end?: true
}

type TableProps<Row> = {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** What is shown below a row, across all columns. */
  below?: (row: Row) => ReactNode
  /** The cells of a last row, with the sums of the columns. */
  sum?: readonly string[]
}

/** A table that a phone shows as records. The explicit roles keep it a table for screen readers. */
export function Table<Row>({ caption, columns, rows, rowKey, below, sum }: TableProps<Row>) {
  const text = useSharedTexts().ui
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <table role="table" className="records w-full text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup" className="border-b border-line bg-sunken/50 text-soft">
          <tr role="row">
            {columns.map(({ title, end }) => (
              <th
                key={title}
                role="columnheader"
                scope="col"
                className={classes(
                  'px-2 py-2.5 font-medium whitespace-nowrap xl:px-4',
                  end ? 'text-end' : 'text-start',
                )}
              >
                {title === '' ? <span className="sr-only">{text.actions}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="divide-y divide-line">
          {rows.map((row) => {
            const more = below?.(row)
            return (
              <Fragment key={rowKey(row)}>
                <tr role="row" className={classes('hover:bg-sunken/40', more !== undefined && 'border-b-0!')}>
                  {columns.map(({ title, cell, rowHeader, end }) => (
                    <td
                      key={title}
                      role="cell"
                      data-column={title}
                      data-row-header={rowHeader}
                      className={classes('px-2 py-3 align-middle xl:px-4', end && 'text-end')}
                    >
                      {cell(row)}
                    </td>
                  ))}
                </tr>
                {more !== undefined && (
                  <tr role="row">
                    <td role="cell" colSpan={columns.length} data-column="" className="px-2 pb-4 xl:px-4">
                      {more}
                    </td>
                  </tr>
                )}
              </Fragment>
            )
          })}
          {sum !== undefined && (
            <tr role="row" className="bg-sunken/50 font-semibold">
              {columns.map(({ title, rowHeader, end }, index) => (
                <td
                  key={title}
                  role="cell"
                  data-column={title}
                  data-row-header={rowHeader}
                  className={classes(
                    'px-2 py-3 xl:px-4',
                    end && 'text-end tabular',
                    sum[index] === '' && 'max-sm:hidden!',
                  )}
                >
                  {sum[index]}
                </td>
              ))}
            </tr>
          )}
        </tbody>
      </table>
    </div>
  )
}
