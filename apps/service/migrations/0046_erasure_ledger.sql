-- What the database knows of the erasure ledger, a folder outside it (ADR 49). An erasing transaction inserts a mark for each of
-- its entries, so an entry that was committed and has no mark was lost by the database.
create table erasure_marks (
  -- The name of a file of the ledger.
  ledger   text   not null,
  position bigint not null,
  primary key (ledger, position)
);

-- Every entry of a file below `settled` is accounted for, its mark is deleted, and what follows begins at `settled_bytes`. A file
-- of notes has a row too, with the size at which it was last seen.
create table erasure_ledgers (
  ledger        text        primary key,
  settled       bigint      not null,
  settled_bytes bigint      not null,
  -- When its last settled entry was written, or when a file of notes was last seen to grow.
  last_at       timestamptz not null
);
