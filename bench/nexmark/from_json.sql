-- The same events from a file of json lines, in the generator's place; behind tables.sql, which makes them.
CREATE TABLE events WITH ('connector' = 'filesystem', 'path' = '${folder}/events', 'format' = 'json')
LIKE datagen (EXCLUDING OPTIONS);
SET 'parallelism.default' = '1';
INSERT INTO events SELECT event_type, person, auction, bid FROM datagen;
SET 'parallelism.default' = '${parallelism}';
ALTER TABLE datagen RENAME TO generated;
ALTER TABLE events RENAME TO datagen;
