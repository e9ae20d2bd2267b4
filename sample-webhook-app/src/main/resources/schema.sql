-- Nothing here is unique on purpose: a request that is run twice leaves two rows, which can be counted.
-- An application of your own should have its unique constraints as well.
create table if not exists effect (
    id bigint generated always as identity primary key,
    biz_type varchar(64) not null,
    operation varchar(200) not null,
    detail varchar(500) not null,
    happened_at timestamp(3) with time zone not null
);
