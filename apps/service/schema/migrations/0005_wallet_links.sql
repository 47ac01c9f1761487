-- With which links the holder's page opens a wallet on the same device: schemes, or https links of one wallet. The first is the main button.
alter table tenants
  add column wallet_links text[] not null default '{eu-eaap,openid4vp,haip-vp}' check (cardinality(wallet_links) between 1 and 5);
