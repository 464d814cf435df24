/**
 * What a checkpoint says about itself: sizes, the plan of layers, defaults of generation. The
 * records are free of any file format; the readers fill them from the JSON files of a hub folder.
 * Any package of this module may call this one.
 */
package dev.gdn.model.config;
