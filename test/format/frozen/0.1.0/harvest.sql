CREATE TABLE public.change (
    id bigint NOT NULL,
    entry_id bigint NOT NULL,
    url text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    datetime double precision NOT NULL,
    lastmod double precision,
    title text COLLATE pg_catalog."C",
    words text COLLATE pg_catalog."C",
    is_minor integer NOT NULL,
    event text NOT NULL COLLATE pg_catalog."C",
    shown_in text COLLATE pg_catalog."C",
    archived text COLLATE pg_catalog."C",
    moved text COLLATE pg_catalog."C",
    quotes text COLLATE pg_catalog."C"
);
ALTER TABLE public.change ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.change_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.collection (
    id bigint NOT NULL,
    source_id bigint NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL COLLATE pg_catalog."C",
    first_url text NOT NULL COLLATE pg_catalog."C",
    base_url text NOT NULL COLLATE pg_catalog."C",
    capability_list_url text NOT NULL COLLATE pg_catalog."C",
    topic text COLLATE pg_catalog."C",
    hub text COLLATE pg_catalog."C",
    description text COLLATE pg_catalog."C",
    known_from double precision NOT NULL,
    has_changes integer DEFAULT 0 NOT NULL,
    is_whole integer NOT NULL,
    is_listed integer NOT NULL,
    is_compared integer DEFAULT 0 NOT NULL
);
ALTER TABLE public.collection ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.collection_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.document (
    id bigint NOT NULL,
    source_id bigint NOT NULL,
    url text NOT NULL COLLATE pg_catalog."C",
    etag text COLLATE pg_catalog."C",
    last_modified text COLLATE pg_catalog."C",
    fresh_until double precision,
    hash text NOT NULL COLLATE pg_catalog."C",
    summary text COLLATE pg_catalog."C",
    collection_id bigint,
    is_closed integer NOT NULL
);
ALTER TABLE public.document ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.document_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.entry (
    id bigint NOT NULL,
    collection_id bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    part integer NOT NULL,
    "time" double precision NOT NULL,
    taken_at double precision NOT NULL,
    counts text NOT NULL COLLATE pg_catalog."C",
    combined_counts text COLLATE pg_catalog."C",
    note text COLLATE pg_catalog."C",
    is_combined integer DEFAULT 1 NOT NULL
);
ALTER TABLE public.entry ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.entry_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.feed (
    key text NOT NULL COLLATE pg_catalog."C",
    entries bigint NOT NULL,
    updated double precision NOT NULL,
    version bigint NOT NULL
);
CREATE TABLE public.feed_entry (
    feed text NOT NULL COLLATE pg_catalog."C",
    number bigint NOT NULL,
    entry_id bigint NOT NULL
);
CREATE TABLE public.host (
    name text NOT NULL COLLATE pg_catalog."C",
    due_at double precision,
    is_new integer DEFAULT 0 NOT NULL,
    not_before double precision,
    lease text COLLATE pg_catalog."C",
    lease_until double precision,
    robots text COLLATE pg_catalog."C",
    is_blocked integer DEFAULT 0 NOT NULL
);
CREATE TABLE public.kysely_migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);
CREATE TABLE public.kysely_migration_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);
CREATE TABLE public.listing (
    collection_id bigint NOT NULL,
    identity text NOT NULL COLLATE pg_catalog."C",
    document_id bigint NOT NULL
);
CREATE TABLE public.merged_source (
    source_id bigint NOT NULL,
    into_id bigint NOT NULL,
    address text NOT NULL COLLATE pg_catalog."C",
    merged_at double precision NOT NULL
);
CREATE TABLE public.ping (
    feed text NOT NULL COLLATE pg_catalog."C",
    due_at double precision NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    version bigint NOT NULL
);
CREATE TABLE public.polled_list (
    id bigint NOT NULL,
    source_id bigint NOT NULL,
    url text NOT NULL COLLATE pg_catalog."C",
    etag text COLLATE pg_catalog."C",
    last_modified text COLLATE pg_catalog."C",
    hash text COLLATE pg_catalog."C",
    stamp text COLLATE pg_catalog."C",
    parts text COLLATE pg_catalog."C",
    is_baseline bigint DEFAULT 0 NOT NULL,
    pages bigint DEFAULT 0 NOT NULL,
    strange text DEFAULT '[]'::text NOT NULL COLLATE pg_catalog."C",
    missing_locs bigint DEFAULT 0 NOT NULL,
    dated bigint DEFAULT 0 NOT NULL,
    unread_dates bigint DEFAULT 0 NOT NULL,
    only_date bigint
);
ALTER TABLE public.polled_list ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.polled_list_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.polled_page (
    source_id bigint NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL COLLATE pg_catalog."C",
    list bigint NOT NULL,
    lastmod bigint,
    hash text COLLATE pg_catalog."C",
    moves integer DEFAULT 0 NOT NULL,
    missing_since double precision
);
CREATE TABLE public.polling (
    source_id bigint NOT NULL,
    roots text NOT NULL COLLATE pg_catalog."C",
    site text NOT NULL COLLATE pg_catalog."C",
    began_at double precision NOT NULL,
    compared_at double precision,
    distrust text COLLATE pg_catalog."C",
    steady_checks integer DEFAULT 0 NOT NULL,
    pages bigint DEFAULT 0 NOT NULL,
    missing bigint DEFAULT 0 NOT NULL,
    moving bigint DEFAULT 0 NOT NULL,
    strange bigint DEFAULT 0 NOT NULL,
    undated bigint DEFAULT 0 NOT NULL,
    unread_dates bigint DEFAULT 0 NOT NULL,
    missing_locs bigint DEFAULT 0 NOT NULL,
    awaits_confirmation integer DEFAULT 0 NOT NULL,
    pages_before bigint,
    confirmed_at double precision
);
CREATE TABLE public.seen (
    collection_id bigint NOT NULL,
    identity text NOT NULL COLLATE pg_catalog."C",
    resource text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    datetime double precision NOT NULL,
    hash text COLLATE pg_catalog."C"
);
CREATE TABLE public.session (
    id text NOT NULL COLLATE pg_catalog."C",
    until double precision NOT NULL
);
CREATE TABLE public.source (
    id bigint NOT NULL,
    address text COLLATE pg_catalog."C",
    host text NOT NULL COLLATE pg_catalog."C",
    description_url text COLLATE pg_catalog."C",
    site_key text COLLATE pg_catalog."C",
    state text DEFAULT 'followed'::text NOT NULL COLLATE pg_catalog."C",
    description text COLLATE pg_catalog."C",
    name text COLLATE pg_catalog."C",
    "interval" double precision,
    followed_at double precision NOT NULL,
    listed_at double precision,
    next_check double precision,
    last_check double precision,
    last_full double precision,
    last_unconditional double precision,
    wants_full integer DEFAULT 0 NOT NULL,
    last_success double precision,
    last_change double precision,
    failures integer DEFAULT 0 NOT NULL,
    unfinished_checks integer DEFAULT 0 NOT NULL,
    problem_code text COLLATE pg_catalog."C",
    problem text COLLATE pg_catalog."C",
    finding text COLLATE pg_catalog."C",
    notice text COLLATE pg_catalog."C",
    notes text COLLATE pg_catalog."C",
    moved_to text COLLATE pg_catalog."C",
    moved_sightings integer DEFAULT 0 NOT NULL,
    checks_without_news integer DEFAULT 0 NOT NULL,
    checks_kept integer DEFAULT 0 NOT NULL,
    polls_sitemap integer DEFAULT 0 NOT NULL,
    followed_by text COLLATE pg_catalog."C",
    condition text DEFAULT 'waiting'::text NOT NULL COLLATE pg_catalog."C",
    condition_since double precision,
    own_feed text COLLATE pg_catalog."C",
    lost_checks integer DEFAULT 0 NOT NULL,
    lost_at double precision,
    searched_at double precision,
    printed_entry bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.source_check (
    source_id bigint NOT NULL,
    slot integer NOT NULL,
    number integer NOT NULL,
    "time" double precision NOT NULL,
    reported integer NOT NULL,
    without_news integer NOT NULL,
    problem_code text COLLATE pg_catalog."C",
    finding text COLLATE pg_catalog."C"
);
CREATE TABLE public.source_day (
    source_id bigint NOT NULL,
    day integer NOT NULL,
    entries integer NOT NULL,
    last bigint NOT NULL,
    newest text NOT NULL COLLATE pg_catalog."C",
    "time" double precision NOT NULL
);
ALTER TABLE public.source ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.source_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.source_label (
    source_id bigint NOT NULL,
    label text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.subscription (
    id bigint NOT NULL,
    collection_id bigint,
    topic text NOT NULL COLLATE pg_catalog."C",
    hub text NOT NULL COLLATE pg_catalog."C",
    token text NOT NULL COLLATE pg_catalog."C",
    secret text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C",
    due_at double precision NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    lease_until double precision,
    covered_until double precision
);
ALTER TABLE public.subscription ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.subscription_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
INSERT INTO public.change OVERRIDING SYSTEM VALUE VALUES (1, 1, 'https://garden.example/lamp.html', 'created', 1792497600, 1792497600, 'Lamp', NULL, 0, '1 9bb896472e02434a8572c6e60d340a55', 'both', NULL, 'https://garden.example/old.html', NULL);
INSERT INTO public.change OVERRIDING SYSTEM VALUE VALUES (2, 1, 'https://garden.example/moss.html', 'updated', 1792497600, 1792497600, 'Moss', NULL, 0, '1 6d21885898265112f3fccbf59ee14bc3', 'both', NULL, NULL, 'new 0
tUwsGvxMow #:~:text=A%20new%20cushion%20on%20the%20step. A new cushion on the step.');
INSERT INTO public.change OVERRIDING SYSTEM VALUE VALUES (3, 1, 'https://garden.example/old.html', 'deleted', 1792497600, 1792497600, 'Lamp', NULL, 0, '1 f8344541636c728fd845f26562971f90', NULL, NULL, 'https://garden.example/lamp.html', NULL);
INSERT INTO public.change OVERRIDING SYSTEM VALUE VALUES (4, 1, 'https://garden.example/pond.html', 'deleted', 1792497600, 1792497600, 'Pond', NULL, 0, '1 f7d4f77130ed940fb7aa609eb656e4fd', 'both', NULL, NULL, NULL);
INSERT INTO public.change OVERRIDING SYSTEM VALUE VALUES (5, 1, 'https://garden.example/wall.html', 'updated', 1792497600, 1792497600, 'Wall', 'It stands', 0, '1 f3b1213b155e5bb27348b7ce37f1fb9d', 'both', NULL, NULL, 'now 0
K9AsqSso9w #:~:text=Of%20river%20stones%2C%20and%20slate. Of river stones, and slate.');
INSERT INTO public.change OVERRIDING SYSTEM VALUE VALUES (6, 2, 'https://garden.example/shrine/', 'updated', 1793880000, 1793880000, '', NULL, 0, '1 e043f985372bec57477f4647d3648c01', 'both', NULL, NULL, 'now 0
yoAsb16jZg #:~:text=In%20the%20wood%2C%20with%20a%20lamp. In the wood, with a lamp.');
INSERT INTO public.collection OVERRIDING SYSTEM VALUE VALUES (1, 1, '', 'https://garden.example/', 'https://garden.example/', 'https://garden.example/', 'https://garden.example/capabilitylist.xml', NULL, NULL, '{"title":"The garden","authors":[],"language":"en"}', 1788613200, 1, 1, 1, 0);
INSERT INTO public.collection OVERRIDING SYSTEM VALUE VALUES (2, 1, 'shrine/', 'https://garden.example/shrine/', 'https://garden.example/shrine/', 'https://garden.example/shrine/', 'https://garden.example/shrine/capabilitylist.xml', NULL, NULL, '{"title":"The shrine","authors":[],"language":"en"}', 1788613200, 1, 1, 1, 0);
INSERT INTO public.document OVERRIDING SYSTEM VALUE VALUES (1, 1, 'https://garden.example/.well-known/resourcesync', '"e7980a0a2c21fa6e90111a44c8fb55535afcbd5fe4a965c3ac324a6c226e4e8d"', NULL, NULL, 'e7980a0a2c21fa6e90111a44c8fb55535afcbd5fe4a965c3ac324a6c226e4e8d', '{"base":"https://garden.example/.well-known/resourcesync","root":"urlset","metadata":{"capability":"description"},"links":[{"rel":"describedby","href":"https://garden.example/about.xml"}],"entries":[{"loc":"https://garden.example/capabilitylist.xml","metadata":{"capability":"capabilitylist"},"links":[{"rel":"describes","href":"https://garden.example/"},{"rel":"describedby","href":"https://garden.example/about.xml"}]},{"loc":"https://garden.example/shrine/capabilitylist.xml","metadata":{"capability":"capabilitylist"},"links":[{"rel":"describes","href":"https://garden.example/shrine/"},{"rel":"describedby","href":"https://garden.example/shrine/about.xml"}]}]}', NULL, 0);
INSERT INTO public.document OVERRIDING SYSTEM VALUE VALUES (2, 1, 'https://garden.example/capabilitylist.xml', '"ebc255f074d45e1020efcbd45d4d77fcaef04f810736c51cd751c98b07282c5f"', NULL, NULL, 'ebc255f074d45e1020efcbd45d4d77fcaef04f810736c51cd751c98b07282c5f', '{"base":"https://garden.example/capabilitylist.xml","root":"urlset","metadata":{"capability":"capabilitylist"},"links":[{"rel":"describes","href":"https://garden.example/"},{"rel":"describedby","href":"https://garden.example/about.xml"}],"entries":[{"loc":"https://garden.example/changelist.xml","metadata":{"capability":"changelist"},"links":[]},{"loc":"https://garden.example/resourcelist.xml","metadata":{"capability":"resourcelist"},"links":[]}]}', NULL, 0);
INSERT INTO public.document OVERRIDING SYSTEM VALUE VALUES (5, 1, 'https://garden.example/shrine/capabilitylist.xml', '"c1cd55477193ffd61e42df8d08c3ec437ca86f979e4590080638eb7cef01195e"', NULL, NULL, 'c1cd55477193ffd61e42df8d08c3ec437ca86f979e4590080638eb7cef01195e', '{"base":"https://garden.example/shrine/capabilitylist.xml","root":"urlset","metadata":{"capability":"capabilitylist"},"links":[{"rel":"describes","href":"https://garden.example/shrine/"},{"rel":"describedby","href":"https://garden.example/shrine/about.xml"}],"entries":[{"loc":"https://garden.example/shrine/changelist.xml","metadata":{"capability":"changelist"},"links":[]},{"loc":"https://garden.example/shrine/resourcelist.xml","metadata":{"capability":"resourcelist"},"links":[]}]}', NULL, 0);
INSERT INTO public.document OVERRIDING SYSTEM VALUE VALUES (8, 1, 'https://garden.example/about.xml', '"74744374b57275d21ebd4bcfd56c68816a60a398c02d0203f490c9cd5209caca"', NULL, NULL, '74744374b57275d21ebd4bcfd56c68816a60a398c02d0203f490c9cd5209caca', NULL, NULL, 0);
INSERT INTO public.document OVERRIDING SYSTEM VALUE VALUES (9, 1, 'https://garden.example/shrine/about.xml', '"5486eca2037db107744feaf1f679bbf877488ba5247e70a7ef4be85626e42e26"', NULL, NULL, '5486eca2037db107744feaf1f679bbf877488ba5247e70a7ef4be85626e42e26', NULL, NULL, 0);
INSERT INTO public.document OVERRIDING SYSTEM VALUE VALUES (13, 1, 'https://garden.example/changelist/2026-11.xml', '"7613a08d1bfbbee4a25ee679a44b681182724fba48e79412feb2559eaa4424c6"', NULL, NULL, '7613a08d1bfbbee4a25ee679a44b681182724fba48e79412feb2559eaa4424c6', '{"base":"https://garden.example/changelist/2026-11.xml","root":"urlset","metadata":{"capability":"changelist","from":"2026-11-05T12:00:00Z"},"links":[],"entries":[]}', 1, 0);
INSERT INTO public.document OVERRIDING SYSTEM VALUE VALUES (3, 1, 'https://garden.example/changelist.xml', '"d0c864a3755abd2fe0d60a140b4cba11dd1e1f0e1d9cf39d0ea181f30c532c5e"', NULL, NULL, 'd0c864a3755abd2fe0d60a140b4cba11dd1e1f0e1d9cf39d0ea181f30c532c5e', '{"base":"https://garden.example/changelist.xml","root":"sitemapindex","metadata":{"capability":"changelist","from":"2026-10-05T12:00:00Z"},"links":[],"entries":[{"loc":"https://garden.example/changelist/2026-10.xml","metadata":{"from":"2026-10-05T12:00:00Z","until":"2026-11-05T12:00:00Z","hash":"sha-256:37da38657d6f4468e2ea81441b91ac5ace81bb453dd624abe81add721dfe881b"},"links":[]},{"loc":"https://garden.example/changelist/2026-11.xml","metadata":{"from":"2026-11-05T12:00:00Z","hash":"sha-256:7613a08d1bfbbee4a25ee679a44b681182724fba48e79412feb2559eaa4424c6"},"links":[]}]}', NULL, 0);
INSERT INTO public.document OVERRIDING SYSTEM VALUE VALUES (4, 1, 'https://garden.example/changelist/2026-10.xml', '"37da38657d6f4468e2ea81441b91ac5ace81bb453dd624abe81add721dfe881b"', NULL, NULL, '37da38657d6f4468e2ea81441b91ac5ace81bb453dd624abe81add721dfe881b', '{"base":"https://garden.example/changelist/2026-10.xml","root":"urlset","metadata":{"capability":"changelist","from":"2026-10-05T12:00:00Z","until":"2026-11-05T12:00:00Z"},"links":[],"entries":[]}', 1, 1);
INSERT INTO public.document OVERRIDING SYSTEM VALUE VALUES (6, 1, 'https://garden.example/shrine/changelist.xml', '"089c46dc9a83824784b3d0625979e30b1b63946c64240e217ba4e1d4b4aeda89"', NULL, NULL, '089c46dc9a83824784b3d0625979e30b1b63946c64240e217ba4e1d4b4aeda89', '{"base":"https://garden.example/shrine/changelist.xml","root":"sitemapindex","metadata":{"capability":"changelist","from":"2026-10-05T12:00:00Z"},"links":[],"entries":[{"loc":"https://garden.example/shrine/changelist/2026-10.xml","metadata":{"from":"2026-10-05T12:00:00Z","until":"2026-11-05T12:00:00Z","hash":"sha-256:43dace3fbe1ab74e65a8c8933db9e0001375126fa74ecb662de98d985d1d965b"},"links":[]},{"loc":"https://garden.example/shrine/changelist/2026-11.xml","metadata":{"from":"2026-11-05T12:00:00Z","hash":"sha-256:c1d4677dd6754f949bc973327b9254361e9e4209b05f27e79d5a5fd836bb090b"},"links":[]}]}', NULL, 0);
INSERT INTO public.document OVERRIDING SYSTEM VALUE VALUES (7, 1, 'https://garden.example/shrine/changelist/2026-10.xml', '"43dace3fbe1ab74e65a8c8933db9e0001375126fa74ecb662de98d985d1d965b"', NULL, NULL, '43dace3fbe1ab74e65a8c8933db9e0001375126fa74ecb662de98d985d1d965b', '{"base":"https://garden.example/shrine/changelist/2026-10.xml","root":"urlset","metadata":{"capability":"changelist","from":"2026-10-05T12:00:00Z","until":"2026-11-05T12:00:00Z"},"links":[],"entries":[]}', 2, 1);
INSERT INTO public.document OVERRIDING SYSTEM VALUE VALUES (16, 1, 'https://garden.example/shrine/changelist/2026-11.xml', '"c1d4677dd6754f949bc973327b9254361e9e4209b05f27e79d5a5fd836bb090b"', NULL, NULL, 'c1d4677dd6754f949bc973327b9254361e9e4209b05f27e79d5a5fd836bb090b', '{"base":"https://garden.example/shrine/changelist/2026-11.xml","root":"urlset","metadata":{"capability":"changelist","from":"2026-11-05T12:00:00Z"},"links":[],"entries":[]}', 2, 0);
INSERT INTO public.entry OVERRIDING SYSTEM VALUE VALUES (1, 1, '2026-10-20T12:00:00Z', 1, 1792497600, 1792501200, '{"updated":2,"moved":1,"deleted":1}', NULL, NULL, 1);
INSERT INTO public.entry OVERRIDING SYSTEM VALUE VALUES (2, 2, '2026-11-05T12:00:00Z', 1, 1793880000, 1793883600, '{"updated":1}', NULL, NULL, 1);
INSERT INTO public.feed VALUES ('collection/1', 1, 1792497600, 2);
INSERT INTO public.feed VALUES ('collection/2', 1, 1793880000, 2);
INSERT INTO public.feed VALUES ('source/1', 2, 1793880000, 3);
INSERT INTO public.feed_entry VALUES ('collection/1', 1, 1);
INSERT INTO public.feed_entry VALUES ('source/1', 1, 1);
INSERT INTO public.feed_entry VALUES ('collection/2', 1, 2);
INSERT INTO public.feed_entry VALUES ('source/1', 2, 2);
INSERT INTO public.host VALUES ('garden.example', 1793970000, 0, NULL, NULL, NULL, NULL, 0);
INSERT INTO public.kysely_migration VALUES ('001-tables-cb3ba904', '2026-11-27T21:34:45.767Z');
INSERT INTO public.kysely_migration_lock VALUES ('migration_lock', 0);
INSERT INTO public.listing VALUES (1, '7b5ffe34f11bb3b0d26e7c4af4e732eb', 4);
INSERT INTO public.listing VALUES (1, '00542873953bd6229e2cef2dd7e3209e', 4);
INSERT INTO public.listing VALUES (1, '0b423549dd0dde977d9260277ffc8277', 4);
INSERT INTO public.listing VALUES (1, '496dd111ad7126d204434a7ca68992a8', 4);
INSERT INTO public.listing VALUES (1, 'ea49ace1054882ea3e6295b25f2500e9', 4);
INSERT INTO public.listing VALUES (1, 'd8aa89e3db71490a4f2ae4821f41b917', 4);
INSERT INTO public.listing VALUES (1, '13b0974d4bc2b26d0a8681b782546f8a', 13);
INSERT INTO public.listing VALUES (2, 'cd805c193c882199dea9853068e2e22c', 16);
INSERT INTO public.seen VALUES (1, '7b5ffe34f11bb3b0d26e7c4af4e732eb', 'd39ca9e67e7082eeecd86bf82dbdea2a', 'updated', 1792497600, 'sha-256:33e8b7786c66c547172a103d193f788703ef30326dbe9054093e2cb6ee7dcabe');
INSERT INTO public.seen VALUES (1, '00542873953bd6229e2cef2dd7e3209e', '2ed19a92bf5972efb918bb6205e3a686', 'created', 1792497600, 'sha-256:0f8f9ec333f753b1e24b2b22a19cf72d9e324324daf30c256fdfd8a31b430b42');
INSERT INTO public.seen VALUES (1, '0b423549dd0dde977d9260277ffc8277', '0b724c93faee515503675011b6e53725', 'updated', 1792497600, 'sha-256:8cfb1d82b04e776e5e264c126c657930a4b12498b9ed2580f282900d63f71b40');
INSERT INTO public.seen VALUES (1, '496dd111ad7126d204434a7ca68992a8', '4e80829e13bfbe01dbbbaf421b8bef3c', 'deleted', 1792497600, NULL);
INSERT INTO public.seen VALUES (1, 'ea49ace1054882ea3e6295b25f2500e9', '0a3f278dd5209068b0f9e99e14c94dda', 'deleted', 1792497600, NULL);
INSERT INTO public.seen VALUES (1, 'd8aa89e3db71490a4f2ae4821f41b917', '950f81396b5ee7456ea331e5cd24eeac', 'updated', 1792497600, 'sha-256:538cdc8dbe891516f0359af47a1d7be77bb72eb565e779e98ac670f8fc506168');
INSERT INTO public.seen VALUES (1, '13b0974d4bc2b26d0a8681b782546f8a', 'b01324d33699db9906040463f67855cd', 'updated', 1793880000, 'sha-256:40b08441512cadeb579a31d4d048b3e794042aae5a58044661fd7f0dd7d117b3');
INSERT INTO public.seen VALUES (2, 'cd805c193c882199dea9853068e2e22c', 'c14cecec97312ad116efa95c8e8993ca', 'updated', 1793880000, 'sha-256:449dccab1cf9d145adbd4f2543cd9728191c90f53802b63ee55268a3ebd9589c');
INSERT INTO public.source OVERRIDING SYSTEM VALUE VALUES (1, 'https://garden.example/', 'garden.example', 'https://garden.example/.well-known/resourcesync', '//garden.example/.well-known/resourcesync', 'followed', '{"title":"The garden","authors":[],"language":"en"}', NULL, NULL, 1791205200, NULL, 1793970000, 1793883600, 1793883600, 1793883600, 0, 1793883600, 1793883600, 0, 0, NULL, NULL, NULL, NULL, '[]', NULL, 0, 0, 3, 0, 'log', 'well', 1791205200, NULL, 0, NULL, NULL, 0);
INSERT INTO public.source_check VALUES (1, 0, 0, 1791205200, 0, 0, NULL, NULL);
INSERT INTO public.source_check VALUES (1, 1, 1, 1792501200, 5, 0, NULL, NULL);
INSERT INTO public.source_check VALUES (1, 2, 2, 1793883600, 1, 0, NULL, NULL);
INSERT INTO public.source_day VALUES (1, 20746, 1, 1, '[{"number":1,"time":1792497600}]', 1792497600);
INSERT INTO public.source_day VALUES (1, 20762, 1, 2, '[{"number":2,"time":1793880000}]', 1793880000);
SELECT pg_catalog.setval('public.change_id_seq', 6, true);
SELECT pg_catalog.setval('public.collection_id_seq', 2, true);
SELECT pg_catalog.setval('public.document_id_seq', 17, true);
SELECT pg_catalog.setval('public.entry_id_seq', 2, true);
SELECT pg_catalog.setval('public.polled_list_id_seq', 1, false);
SELECT pg_catalog.setval('public.source_id_seq', 1, true);
SELECT pg_catalog.setval('public.subscription_id_seq', 1, false);
ALTER TABLE ONLY public.change
    ADD CONSTRAINT change_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.collection
    ADD CONSTRAINT collection_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.collection
    ADD CONSTRAINT collection_source_id_key_key UNIQUE (source_id, key);
ALTER TABLE ONLY public.document
    ADD CONSTRAINT document_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.document
    ADD CONSTRAINT document_source_id_url_key UNIQUE (source_id, url);
ALTER TABLE ONLY public.entry
    ADD CONSTRAINT entry_collection_id_name_part_key UNIQUE (collection_id, name, part);
ALTER TABLE ONLY public.entry
    ADD CONSTRAINT entry_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.feed_entry
    ADD CONSTRAINT feed_entry_pkey PRIMARY KEY (feed, number);
ALTER TABLE ONLY public.feed
    ADD CONSTRAINT feed_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.host
    ADD CONSTRAINT host_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.kysely_migration_lock
    ADD CONSTRAINT kysely_migration_lock_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.kysely_migration
    ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.listing
    ADD CONSTRAINT listing_pkey PRIMARY KEY (collection_id, identity, document_id);
ALTER TABLE ONLY public.merged_source
    ADD CONSTRAINT merged_source_pkey PRIMARY KEY (source_id);
ALTER TABLE ONLY public.ping
    ADD CONSTRAINT ping_pkey PRIMARY KEY (feed);
ALTER TABLE ONLY public.polled_list
    ADD CONSTRAINT polled_list_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.polled_list
    ADD CONSTRAINT polled_list_source_id_url_key UNIQUE (source_id, url);
ALTER TABLE ONLY public.polled_page
    ADD CONSTRAINT polled_page_pkey PRIMARY KEY (source_id, key);
ALTER TABLE ONLY public.polling
    ADD CONSTRAINT polling_pkey PRIMARY KEY (source_id);
ALTER TABLE ONLY public.seen
    ADD CONSTRAINT seen_pkey PRIMARY KEY (collection_id, identity);
ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.source
    ADD CONSTRAINT source_address_key UNIQUE (address);
ALTER TABLE ONLY public.source_check
    ADD CONSTRAINT source_check_pkey PRIMARY KEY (source_id, slot);
ALTER TABLE ONLY public.source_day
    ADD CONSTRAINT source_day_pkey PRIMARY KEY (source_id, day);
ALTER TABLE ONLY public.source_label
    ADD CONSTRAINT source_label_pkey PRIMARY KEY (source_id, label);
ALTER TABLE ONLY public.source
    ADD CONSTRAINT source_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.source
    ADD CONSTRAINT source_site_key_key UNIQUE (site_key);
ALTER TABLE ONLY public.subscription
    ADD CONSTRAINT subscription_collection_id_key UNIQUE (collection_id);
ALTER TABLE ONLY public.subscription
    ADD CONSTRAINT subscription_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.subscription
    ADD CONSTRAINT subscription_token_key UNIQUE (token);
CREATE INDEX change_event ON public.change USING btree (event);
CREATE INDEX change_of_entry ON public.change USING btree (entry_id, id);
CREATE INDEX change_shown ON public.change USING btree (entry_id) WHERE (shown_in IS NOT NULL);
CREATE INDEX collection_capability_list ON public.collection USING btree (capability_list_url);
CREATE INDEX collection_pushed ON public.collection USING btree (id) WHERE (topic IS NOT NULL);
CREATE INDEX collection_url ON public.collection USING btree (url);
CREATE INDEX feed_entry_of_entry ON public.feed_entry USING btree (entry_id);
CREATE INDEX host_blocked ON public.host USING btree (name) WHERE (is_blocked = 1);
CREATE INDEX host_due ON public.host USING btree (is_new, due_at);
CREATE INDEX host_leased ON public.host USING btree (lease) WHERE (lease IS NOT NULL);
CREATE INDEX listing_in_document ON public.listing USING btree (document_id);
CREATE INDEX merged_source_address ON public.merged_source USING btree (address);
CREATE INDEX merged_source_into ON public.merged_source USING btree (into_id);
CREATE INDEX ping_due ON public.ping USING btree (due_at);
CREATE INDEX polled_page_unsettled ON public.polled_page USING btree (source_id, key) WHERE ((missing_since IS NOT NULL) OR (moves > 0));
CREATE INDEX source_attempted ON public.source USING btree (next_check) WHERE (unfinished_checks > 0);
CREATE INDEX source_condition ON public.source USING btree (state, condition, followed_by);
CREATE INDEX source_day_newest ON public.source_day USING btree ("time", source_id);
CREATE INDEX source_due ON public.source USING btree (next_check);
CREATE INDEX source_listed ON public.source USING btree (listed_at) WHERE (listed_at IS NOT NULL);
CREATE INDEX source_new ON public.source USING btree (host) WHERE ((last_check IS NULL) AND (next_check IS NOT NULL));
CREATE INDEX source_of_host ON public.source USING btree (host, next_check);
CREATE INDEX source_of_label ON public.source_label USING btree (label, source_id);
CREATE INDEX source_unfollowed ON public.source USING btree (id) WHERE (state = 'unfollowed'::text);
CREATE INDEX subscription_due ON public.subscription USING btree (due_at);
ALTER TABLE ONLY public.change
    ADD CONSTRAINT change_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES public.entry(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.collection
    ADD CONSTRAINT collection_source_id_fkey FOREIGN KEY (source_id) REFERENCES public.source(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.document
    ADD CONSTRAINT document_source_id_fkey FOREIGN KEY (source_id) REFERENCES public.source(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.entry
    ADD CONSTRAINT entry_collection_id_fkey FOREIGN KEY (collection_id) REFERENCES public.collection(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.feed_entry
    ADD CONSTRAINT feed_entry_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES public.entry(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.feed_entry
    ADD CONSTRAINT feed_entry_feed_fkey FOREIGN KEY (feed) REFERENCES public.feed(key) ON DELETE CASCADE;
ALTER TABLE ONLY public.listing
    ADD CONSTRAINT listing_document_id_fkey FOREIGN KEY (document_id) REFERENCES public.document(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.merged_source
    ADD CONSTRAINT merged_source_into_id_fkey FOREIGN KEY (into_id) REFERENCES public.source(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.polled_list
    ADD CONSTRAINT polled_list_source_id_fkey FOREIGN KEY (source_id) REFERENCES public.source(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.polled_page
    ADD CONSTRAINT polled_page_source_id_fkey FOREIGN KEY (source_id) REFERENCES public.source(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.polling
    ADD CONSTRAINT polling_source_id_fkey FOREIGN KEY (source_id) REFERENCES public.source(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.seen
    ADD CONSTRAINT seen_collection_id_fkey FOREIGN KEY (collection_id) REFERENCES public.collection(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.source_check
    ADD CONSTRAINT source_check_source_id_fkey FOREIGN KEY (source_id) REFERENCES public.source(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.source_day
    ADD CONSTRAINT source_day_source_id_fkey FOREIGN KEY (source_id) REFERENCES public.source(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.source_label
    ADD CONSTRAINT source_label_source_id_fkey FOREIGN KEY (source_id) REFERENCES public.source(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.subscription
    ADD CONSTRAINT subscription_collection_id_fkey FOREIGN KEY (collection_id) REFERENCES public.collection(id) ON DELETE SET NULL;