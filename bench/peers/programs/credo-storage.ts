import {
  InjectionSymbols,
  JsonTransformer,
  RecordDuplicateError,
  RecordNotFoundError,
  type BaseRecord,
  type BaseRecordConstructor,
  type DependencyManager,
  type Module,
  type Query,
  type StorageService,
} from '@credo-ts/core'
import type { Pool } from 'pg'

type RecordRow = { body: Record<string, unknown>; tags: Record<string, unknown> }

/**
 * Storage of a Credo agent in PostgreSQL: one row for each record, found by its id or by an index on its tags. Credo's own
 * storage, Askar, needs a binary that npm does not carry; it also encrypts every record and tag, which this does not.
 */
export function createPostgresStorage(pool: Pool): Module {
  const storage: StorageService<BaseRecord> = {
    supportsCursorPagination: false,
    async save(_, record) {
      record.updatedAt = new Date()
      const { rowCount } = await pool.query({
        name: 'save record',
        text: 'insert into credo_records (id, type, body, tags) values ($1, $2, $3, $4) on conflict do nothing',
        values: [record.id, record.type, ...serialize(record)],
      })
      if (rowCount === 0)
        throw new RecordDuplicateError(`There is a record ${record.id}.`, { recordType: record.type })
    },
    async update(_, record) {
      record.updatedAt = new Date()
      const { rowCount } = await pool.query({
        name: 'update record',
        text: 'update credo_records set body = $2, tags = $3 where id = $1',
        values: [record.id, ...serialize(record)],
      })
      if (rowCount === 0) throw notFound(record.id, record.type)
    },
    delete: async (_, { id }) => deleteRecord(id),
    deleteById: async (_, _class, id) => deleteRecord(id),
    async getById(_, recordClass, id) {
      const [row] = await readRows('get record', 'id = $1', [id])
      if (row === undefined) throw notFound(id, recordClass.type)
      return deserialize(recordClass, row)
    },
    async getAll(_, recordClass) {
      const rows = await readRows('get records', 'type = $1', [recordClass.type])
      return rows.map((row) => deserialize(recordClass, row))
    },
    async findByQuery(_, recordClass, query) {
      const [simple, alternatives] = splitQuery(query)
      const rows = await readRows(
        'find records',
        `type = $1 and tags @> $2 and ($3::jsonb[] is null or tags @> any ($3))`,
        [recordClass.type, simple, alternatives],
      )
      return rows.map((row) => deserialize(recordClass, row))
    },
  }

  async function readRows(name: string, condition: string, values: unknown[]): Promise<RecordRow[]> {
    const text = `select body, tags from credo_records where ${condition} limit 100`
    return (await pool.query<RecordRow>({ name, text, values })).rows
  }

  async function deleteRecord(id: string): Promise<void> {
    await pool.query({ name: 'delete record', text: 'delete from credo_records where id = $1', values: [id] })
  }

  return {
    register: (dependencyManager: DependencyManager) =>
      dependencyManager.registerInstance(InjectionSymbols.StorageService, storage),
  }
}

function serialize(record: BaseRecord): [body: string, tags: string] {
  return [JSON.stringify(JsonTransformer.toJSON(record)), JSON.stringify(record.getTags())]
}

function deserialize(recordClass: BaseRecordConstructor<BaseRecord>, { body, tags }: RecordRow): BaseRecord {
  const record = JsonTransformer.fromJSON(body, recordClass)
  record.replaceTags(tags as Parameters<BaseRecord['replaceTags']>[0]) // written by `serialize`
  return record
}

/** The tags that a record must have, and alternatives of which it must have one. The verifier's queries have no other form. */
function splitQuery(query: Query<BaseRecord>): [simple: string, alternatives: string[] | null] {
  const { $or, $and, $not, ...tags } = query as Record<string, unknown>
  if ($and !== undefined || $not !== undefined) throw new Error('This storage supports no such query.')
  return [JSON.stringify(tags), Array.isArray($or) ? $or.map((tagsOfOne) => JSON.stringify(tagsOfOne)) : null]
}

function notFound(id: string, recordType: string): RecordNotFoundError {
  return new RecordNotFoundError(`There is no record ${id}.`, { recordType })
}
